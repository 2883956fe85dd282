import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** An answer that is not a success; the breaker classifies it by its status. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  constructor(
    readonly status: number,
    readonly url: string,
  ) {
    super(`${status} from ${url}`);
  }
}

export type CallOptions = {
  readonly method?: 'GET' | 'POST';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** On a connection of its own. */
  readonly fresh?: boolean;
};

/** One call over HTTP; resolves with the body of a 2xx answer and throws for everything else. */
export function call(url: string, options: CallOptions = {}): Promise<string> {
  const { method = 'GET', body, signal, timeoutMs = 3_000, fresh = false } = options;
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...options.headers,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const outgoing = request(
      url,
      { agent: fresh ? false : agent, method, headers, signal },
      (answer) => {
        const status = answer.statusCode ?? 0;
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('error', reject);
        answer.on('end', () => {
          if (status >= 200 && status < 300) resolve(text);
          else reject(new StatusError(status, url));
        });
      },
    );
    outgoing.setTimeout(timeoutMs, () => {
      outgoing.destroy(Object.assign(new Error(`no answer from ${url}`), { code: 'ETIMEDOUT' }));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The other side closed an idle connection in the moment it was taken up again.
      const staleConnection = outgoing.reusedSocket && error.code === 'ECONNRESET';
      if (staleConnection && !signal?.aborted) resolve(call(url, { ...options, fresh: true }));
      else reject(error);
    });
    outgoing.end(payload);
  });
}
