import type { Draft, LockEvent } from '../../../shared/events/event.ts';

/** Pairs of local and global `seq` kept to translate causes and requests; at most one per batch. */
const MOST_RUNS = 100_000;

/**
 * Translates between the `seq` of one observer thread, which begins at 1, and that of the process. Both rise by one.
 */
export class SeqRuns {
  readonly #runs: { local: number; global: number; count: number }[] = [];

  /**
   * Gives events, and their causes, the `seq` of the process, from `firstSeq` on. They are changed in place: no other
   * code has them yet.
   */
  renumber(events: readonly LockEvent[], firstSeq: number): LockEvent[] {
    const [first] = events;
    if (!first) return [];
    const last = this.#runs.at(-1);
    if (last && last.local + last.count === first.seq && last.global + last.count === firstSeq)
      last.count += events.length;
    else this.#runs.push({ local: first.seq, global: firstSeq, count: events.length });
    if (this.#runs.length > MOST_RUNS) this.#runs.shift();
    if (first.seq === firstSeq && this.#runs.length === 1) return [...events];
    return events.map((event: Draft<LockEvent>, index) => {
      const { because } = event;
      event.seq = firstSeq + index;
      if (because === undefined) return event;
      event.because = because.map((cause) => this.#globalOf(cause)).filter((cause) => cause !== undefined);
      return event.because.length > 0 ? event : withoutCauses(event);
    });
  }

  /** The observer's own `seq` of an event; undefined if the observer reported it before a restart, or too long ago. */
  localOf(seq: number): number | undefined {
    const run = this.#runs.find((each) => seq >= each.global && seq < each.global + each.count);
    return run && run.local + seq - run.global;
  }

  #globalOf(local: number): number | undefined {
    let low = 0;
    let high = this.#runs.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const run = this.#runs[middle];
      if (!run) return undefined;
      if (local < run.local) high = middle - 1;
      else if (local >= run.local + run.count) low = middle + 1;
      else return run.global + local - run.local;
    }
    return undefined;
  }
}

function withoutCauses({ because: _because, ...event }: LockEvent): LockEvent {
  return event;
}
