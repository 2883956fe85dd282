/** What the supervisor and its children tell each other. Both ends are ours, so types suffice. */
export type Start = {
  readonly type: 'start';
  readonly service: string;
  readonly instance: string;
  readonly console: { readonly url: string; readonly token: string; readonly environment: string };
};

/** Base addresses by service; sent again whenever one changes. */
export type Peers = { readonly type: 'peers'; readonly peers: Readonly<Record<string, string[]>> };
export type Stop = { readonly type: 'stop' };
export type ToChild = Start | Peers | Stop;

export type Ready = { readonly type: 'ready'; readonly url: string; readonly adminUrl: string };
