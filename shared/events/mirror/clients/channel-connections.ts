/** Listening connections by address, each with its client's uuid if known, and the number per client. */
export class ChannelConnections {
  readonly #clients = new Map<string, string | undefined>();
  readonly #counts = new Map<string | undefined, number>();

  get size(): number {
    return this.#clients.size;
  }

  has(address: string): boolean {
    return this.#clients.has(address);
  }

  get(address: string): string | undefined {
    return this.#clients.get(address);
  }

  entries(): IterableIterator<[string, string | undefined]> {
    return this.#clients.entries();
  }

  addresses(): IterableIterator<string> {
    return this.#clients.keys();
  }

  /** Every client once; `undefined` is among them if a connection's client is not known. */
  clients(): IterableIterator<string | undefined> {
    return this.#counts.keys();
  }

  /** Whether one of the connections belongs to this client; `undefined`: whether one belongs to an unknown client. */
  hasClient(client: string | undefined): boolean {
    return this.#counts.has(client);
  }

  set(address: string, client: string | undefined): void {
    this.delete(address);
    this.#clients.set(address, client);
    this.#counts.set(client, (this.#counts.get(client) ?? 0) + 1);
  }

  /** Removes a connection; returns whether it was listed. */
  delete(address: string): boolean {
    if (!this.#clients.has(address)) return false;
    const client = this.#clients.get(address);
    this.#clients.delete(address);
    const left = (this.#counts.get(client) ?? 0) - 1;
    if (left > 0) this.#counts.set(client, left);
    else this.#counts.delete(client);
    return true;
  }

  clear(): void {
    this.#clients.clear();
    this.#counts.clear();
  }
}
