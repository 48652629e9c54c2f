import type { OtlpTotals } from '../metrics/otlp-metrics.ts';
import { reasonOf } from './sdk.ts';

export type SignalName = 'spans' | 'logs' | 'metrics';

/**
 * Why an item is not exported. `rate`: too many traces a second. `open`: too many holds and waits are open, or their
 * lock was dropped from memory. `queue`: too many items wait. `export`: the receiver did not accept it.
 */
type DropReason = 'rate' | 'open' | 'queue' | 'export';

const SENTENCES: Readonly<Record<Exclude<DropReason, 'export'>, string>> = {
  rate: 'there are too many traces a second',
  open: 'too many holds and waits are open, or their locks were dropped from memory',
  queue: 'too many wait to be sent',
};

/** Counts the items that are not exported, and warns about the first of each signal. */
export class Drops {
  readonly #warn: (line: string) => void;
  readonly #counts = new Map<SignalName, Map<DropReason, number>>();
  #problem: string | undefined;

  constructor(warn: (line: string) => void) {
    this.#warn = warn;
  }

  /** Why the newest items were dropped, without the address of the receiver. */
  get problem(): string | undefined {
    return this.#problem;
  }

  add(signal: SignalName, reason: DropReason, count: number, error?: unknown): void {
    const why = reason === 'export' ? reasonOf(error) : SENTENCES[reason];
    this.#problem = why;
    const known = this.#counts.get(signal);
    const counts = known ?? new Map<DropReason, number>();
    this.#counts.set(signal, counts);
    counts.set(reason, (counts.get(reason) ?? 0) + count);
    if (!known) {
      this.#warn(
        `OpenTelemetry: ${signal} are not exported: ${why}. GET /api/health counts them; there is no further line.`,
      );
    }
  }

  of(signal: SignalName): number {
    return [...(this.#counts.get(signal)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  }

  totals(): OtlpTotals['dropped'] {
    return [...this.#counts].flatMap(([signal, counts]) =>
      [...counts].map(([reason, count]) => [signal, reason, count] as const),
    );
  }
}
