import type { Grant } from '@/lib/protocol/access';

export function grantText({ role, environment, service }: Grant): string {
  if (environment === '*' && service === '*') return `${role} everywhere`;
  const where = environment === '*' ? 'all environments' : environment;
  return service === '*' ? `${role} in ${where}` : `${role} for ${service} in ${where}`;
}
