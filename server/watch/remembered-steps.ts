import type { LockEvent } from '../../shared/events/event.ts';
import type { Step } from '../../shared/signals/step.ts';
import { redactedLines } from './redacted-lines.ts';

/** How many of the newest events keep the Redis lines behind them. */
const MOST = 50_000;

/** The steps behind the newest events of one source, whose `seq`s rise by one. */
export class RememberedSteps {
  readonly #most: number;
  /** A ring: the event `seq` has its place at `seq % most`. */
  readonly #steps: Step[] = [];
  readonly #locks: string[] = [];
  #newest = -1;

  constructor(most = MOST) {
    this.#most = most;
  }

  /** Notes that these events came from this step. */
  remember(step: Step, events: readonly LockEvent[]): void {
    for (const event of events) {
      const place = event.seq % this.#most;
      this.#steps[place] = step;
      this.#locks[place] = event.lock;
      this.#newest = event.seq;
    }
  }

  /** The Redis lines behind an event; undefined when they are no longer remembered. */
  linesOf(seq: number): string[] | undefined {
    if (seq > this.#newest || seq <= this.#newest - this.#most) return undefined;
    const step = this.#steps[seq % this.#most];
    return step && redactedLines(step, this.#locks[seq % this.#most] ?? '');
  }
}
