import { AGENT_PATH, AGENT_SUBPROTOCOL, LIVE_PATH } from '@/lib/protocol/version';
import {
  isAllowedHost,
  isAllowedOrigin,
  isForeignFetch,
  isOriginForm,
  type DoorHeaders,
  type DoorRules,
} from './doors';

export type UpgradeRequest = {
  readonly target: string | undefined;
  readonly headers: DoorHeaders & { readonly 'sec-websocket-protocol'?: string | undefined };
};

export type UpgradeVerdict =
  | { readonly kind: 'agent' }
  | { readonly kind: 'live' }
  | { readonly kind: 'hot-reload' }
  | { readonly kind: 'refuse'; readonly status: 400 | 403 | 404; readonly reason: string };

const refuse = (status: 400 | 403 | 404, reason: string): UpgradeVerdict => ({
  kind: 'refuse',
  status,
  reason,
});

/**
 * Paths match as a whole, query included, so that a token in a URL never gets further than here.
 * `hotReload` is true in development only.
 */
export function judgeUpgrade(
  { target, headers }: UpgradeRequest,
  rules: DoorRules,
  { hotReload }: { readonly hotReload: boolean },
): UpgradeVerdict {
  if (!isOriginForm(target)) return refuse(400, 'the request target must be a path');
  if (!isAllowedHost(rules, headers.host)) return refuse(403, 'this Host is not allowed');
  if (target === AGENT_PATH) return judgeAgent(headers);
  const isHotReload = hotReload && target.startsWith('/_next/');
  if (target !== LIVE_PATH && !isHotReload) return refuse(404, 'no socket at this path');
  if (!isAllowedOrigin(rules, headers.origin)) return refuse(403, 'this Origin is not allowed');
  if (isForeignFetch(headers['sec-fetch-site'])) return refuse(403, 'cross-site request');
  return { kind: isHotReload ? 'hot-reload' : 'live' };
}

function judgeAgent(headers: UpgradeRequest['headers']): UpgradeVerdict {
  // Only a browser sends an Origin, and no browser is an agent.
  if (headers.origin !== undefined) return refuse(403, 'agents send no Origin');
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
  return offered.includes(AGENT_SUBPROTOCOL)
    ? { kind: 'agent' }
    : refuse(400, `offer the subprotocol ${AGENT_SUBPROTOCOL}`);
}
