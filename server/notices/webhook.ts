/**
 * One signed POST to the address in the configuration. What is sent to is looked up once, checked,
 * and then connected to as it was checked; redirects are not followed, and of the answer only the
 * status counts.
 */
import { createHmac } from 'node:crypto';
import { lookup, type LookupAddress } from 'node:dns';
import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import type { BreakGlassNotice } from '@/lib/protocol/notice';
import { isAllowed } from './destination';

const TIME_LIMIT_MS = 5_000;

export type WebhookSettings = {
  readonly url: string;
  /** The newest first; each signs, so that a receiver can change over. */
  readonly secrets: readonly string[];
  /** Private addresses and ranges that may be connected to. */
  readonly allowed: readonly string[];
};

export type WebhookWorld = {
  readonly now: () => number;
  /** Every address of the name. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
};

const resolveAll = promisify(lookup);

/** [S-25] Over id, time and body, so that none of them can be changed or sent again later. */
export function signatureOf(secret: string, id: string, timestamp: number, body: string): string {
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`, 'utf8');
  return `v1=${mac.digest('hex')}`;
}

async function addressOf(host: string, { allowed }: WebhookSettings, world: WebhookWorld) {
  const name = host.replace(/^\[|\]$/g, '');
  const resolve = world.resolve ?? ((one: string) => resolveAll(one, { all: true }));
  const found =
    isIP(name) === 0 ? await resolve(name) : [{ address: name, family: isIP(name) as 4 | 6 }];
  const [first] = found;
  if (first === undefined || !found.every(({ address }) => isAllowed(address, allowed))) {
    throw new Error('the address of the webhook is not allowed');
  }
  return first;
}

function post(url: URL, options: RequestOptions, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const run = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = run(url, options, (response) => {
      // Nothing of it is read: it could be endless.
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.end(body);
  });
}

export type SendNotice = (notice: BreakGlassNotice) => Promise<void>;

/** Rejects when the receiver has not said that it took it (2xx). */
export function createWebhook(settings: WebhookSettings, world: WebhookWorld): SendNotice {
  const url = new URL(settings.url);
  return async (notice) => {
    const body = JSON.stringify(notice);
    const timestamp = Math.floor(world.now() / 1_000);
    const pinned = await addressOf(url.hostname, settings, world);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Recloser',
      'recloser-id': notice.id,
      'recloser-timestamp': timestamp,
      'recloser-signature': settings.secrets
        .map((secret) => signatureOf(secret, notice.id, timestamp, body))
        .join(' '),
    };
    const status = await post(
      url,
      {
        method: 'POST',
        headers,
        agent: false,
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
        lookup: (_host, { all }, found) => {
          if (all === true) found(null, [pinned]);
          else found(null, pinned.address, pinned.family);
        },
      },
      body,
    );
    if (status < 200 || status > 299) throw new Error(`the webhook answered ${status}`);
  };
}
