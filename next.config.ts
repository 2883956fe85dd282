import type { NextConfig } from 'next';

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // The custom server answers /api and both sockets; Next renders pages and serves assets only.
  images: { unoptimized: true },
  agentRules: false,
  experimental: { agentUpgrade: false },
};

export default config;
