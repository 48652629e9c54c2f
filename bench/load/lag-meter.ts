import type { Written } from './simulated-sources.ts';

/** Which lines the bus and the store have, and how long blocks took from one to the other. */
export class LagMeter {
  readonly #waiting = new Map<string, { seq: number; ms: number }[]>();
  readonly #written = new Map<string, number>();
  readonly #stored = new Map<string, { seq: number; ms: number }>();
  #lags: number[] = [];
  #made = 0;
  #gaps = 0;

  written({ confirmed, made, gaps }: Written): void {
    this.#made = made;
    this.#gaps = gaps;
    for (const { name, seq, ms } of confirmed) {
      this.#written.set(name, seq);
      const stored = this.#stored.get(name);
      if (stored && stored.seq >= seq) {
        this.#lags.push(Math.max(0, stored.ms - ms));
        continue;
      }
      const waiting = this.#waiting.get(name) ?? [];
      waiting.push({ seq, ms });
      this.#waiting.set(name, waiting);
    }
  }

  stored(name: string, seq: number): void {
    if ((this.#stored.get(name)?.seq ?? 0) >= seq) return;
    const ms = Date.now();
    this.#stored.set(name, { seq, ms });
    const waiting = this.#waiting.get(name) ?? [];
    for (let first = waiting[0]; first && first.seq <= seq; first = waiting[0]) {
      this.#lags.push(Math.max(0, ms - first.ms));
      waiting.shift();
    }
  }

  begin() {
    this.#lags = [];
    return this.end();
  }

  end() {
    const sum = (values: Iterable<number>) => [...values].reduce((total, next) => total + next, 0);
    return {
      made: this.#made,
      gaps: this.#gaps,
      writtenLines: sum(this.#written.values()),
      storedLines: sum([...this.#stored.values()].map(({ seq }) => seq)),
      lags: this.#lags,
    };
  }
}
