/** Where the other services are; taken in turn, as a client-side balancer does. */
export class PeerBook {
  #peers: Readonly<Record<string, string[]>> = {};
  #turn = 0;

  update(peers: Readonly<Record<string, string[]>>): void {
    this.#peers = peers;
  }

  next(service: string): string {
    const addresses = this.#peers[service] ?? [];
    this.#turn += 1;
    const address = addresses[this.#turn % addresses.length];
    if (address === undefined) throw new Error(`nobody knows where ${service} is`);
    return address;
  }
}
