import type { Problem } from '../../../shared/wire/problems/problem.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { monotonicMs, steadyMs } from '../../redis/connection/surroundings.ts';
import { lagOf, type SourceBeat } from '../source/source-lag.ts';
import { silentSource } from './observer-problems.ts';

/** What a source's observers have reported about it, and what follows while none of them answers. */
export class ReportedSource {
  #last: Source;
  /** The newest beat. It is older than the connection while the first reads are under way. */
  #beat: SourceBeat | undefined;
  /** When the observer last reported on the source, or ended. */
  #at = 0;
  /** Seconds since the observer last answered, once it is silent. */
  #silentFor = 0;
  #isServerEnded = false;
  #hasObserved = false;
  /** Why the observer ended, until the next one observes. */
  #restart: Problem | undefined;
  /** What the observer had counted before its last restart. */
  #counted: Pick<Source, 'drift' | 'rejected' | 'rejectedFor'> = { drift: 0, rejected: 0 };

  constructor(source: Source) {
    this.#last = source;
  }

  get last(): Source {
    return this.#last;
  }

  /** Whether an observer ever observed. */
  get hasObserved(): boolean {
    return this.#hasObserved;
  }

  get restart(): Problem | undefined {
    return this.#restart;
  }

  now(): Source {
    const last = this.#beat ? { ...this.#last, lagMs: lagOf(this.#beat, monotonicMs()) } : this.#last;
    const heard = this.#silentFor > 0 ? silentSource(last, this.#silentFor) : last;
    const { nextTryMs } = heard;
    const waited = steadyMs() - this.#at;
    const next = nextTryMs === undefined ? {} : { nextTryMs: Math.max(0, Math.round(nextTryMs - waited)) };
    return { ...heard, ...next, ...(this.#isServerEnded ? { ended: true } : {}) };
  }

  /** Takes a report, and adds the counts from before a restart. The reason of the restart stays until it observes. */
  take(reported: Source): void {
    this.#at = steadyMs();
    if (reported.status === 'observing') {
      this.#hasObserved = true;
      this.#restart = undefined;
    }
    const drift = reported.drift + this.#counted.drift;
    const rejected = reported.rejected + this.#counted.rejected;
    const problem = reported.problem ?? this.#restart;
    const rejectedFor = reported.rejectedFor ?? this.#counted.rejectedFor;
    const counts = { drift, rejected, ...(rejectedFor ? { rejectedFor } : {}) };
    this.#last = { ...reported, ...counts, ...(problem ? { problem } : {}) };
  }

  beat(beat: SourceBeat): void {
    this.#beat = beat;
  }

  /** Notes that the observer has not answered for `seconds`; 0: it answers. */
  silent(seconds: number): void {
    this.#silentFor = seconds;
  }

  /** Notes that the server of the source is ended on purpose. */
  serverEnded(): void {
    this.#isServerEnded = true;
  }

  /** Notes that the observer ended. `pauseMs`: the time until it is started again; absent: it is not. */
  observerEnded(problem: Problem, pauseMs: number | undefined): void {
    this.#restart = problem;
    const { drift, rejected, rejectedFor } = this.#last;
    this.#counted = { drift, rejected, ...(rejectedFor ? { rejectedFor } : {}) };
    const status = this.#hasObserved && pauseMs !== undefined ? 'reconnecting' : 'failed';
    this.#at = steadyMs();
    const next = pauseMs === undefined ? {} : { nextTryMs: pauseMs };
    this.#last = { ...this.#last, ...next, status, linesPerSecond: 0, problem };
  }
}
