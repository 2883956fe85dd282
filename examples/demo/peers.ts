/** Where the other services are; taken in turn, as a client-side balancer does. */
export class PeerBook {
  #peers: Readonly<Record<string, string[]>> = {};
  readonly #turns = new Map<string, number>();

  update(peers: Readonly<Record<string, string[]>>): void {
    this.#peers = peers;
  }

  next(service: string): string {
    const addresses = this.#peers[service] ?? [];
    const turn = (this.#turns.get(service) ?? 0) + 1;
    this.#turns.set(service, turn);
    const address = addresses[turn % addresses.length];
    if (address === undefined) throw new Error(`nobody knows where ${service} is`);
    return address;
  }
}
