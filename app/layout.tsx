import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { OverrideBar } from '@/components/override/override-bar';
import {
  parsePreferences,
  PREFERENCES_COOKIE,
  rootAttributes,
} from '@/components/shell/preferences';
import { PaletteKey } from '@/components/palette/palette-key';
import { Providers } from '@/components/shell/providers';
import { Shell } from '@/components/shell/shell';
import './globals.css';

export const metadata: Metadata = {
  description: 'The operations console for circuit breakers.',
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#131619' },
  ],
};

/** Reading the cookie makes every page dynamic, which a nonce in the CSP needs anyway. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const jar = await cookies();
  const preferences = parsePreferences(jar.get(PREFERENCES_COOKIE)?.value);
  return (
    <html lang="en" {...rootAttributes(preferences)}>
      <body>
        <Providers preferences={preferences}>
          <Shell overrideBar={<OverrideBar />} palette={<PaletteKey />}>
            {children}
          </Shell>
        </Providers>
      </body>
    </html>
  );
}
