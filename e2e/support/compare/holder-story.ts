import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { type Call, hasAcquired, hasUnlocked, isUnlockRefused, type Micros } from './truth.ts';

const STEPS = new Set([
  'lock.acquired',
  'lock.reentered',
  'lock.partially-released',
  'lock.released',
  'unlock.refused',
] as const);
const LOSS = new Set(['lease.expired', 'lock.force-released', 'lock.deleted', 'lock.evicted', 'db.flushed'] as const);

/** One holder's calls on one lock, and the events about that holder and lock, both in order. */
type HolderStory = {
  holder: string;
  lock: string;
  calls: readonly Call[];
  events: readonly ReportedEvent[];
  /** The client was killed: its hold must be reported as lost, and a running call never returns. */
  wasKilled: boolean;
  /** The latest instant in the truth. */
  until: Micros;
  toleranceMs: number;
};

/**
 * Compares what one thread saw with the reported events about it, step by step. Returns every difference in words.
 *
 *   truth    lock ok   lock ok    unlock ok           unlock ok  unlock !
 *   events   acquired  reentered  partially-released  released   unlock.refused
 *   count       1          2             1               0
 *
 * A loss between two steps (an expired lease, a force-release) sets the count to 0: the next unlock must be refused,
 * and the next lock must be an acquisition. A loss that the client saw but that was not reported is a difference.
 */
export function compareHolderStory(story: HolderStory): string[] {
  const comparison = new Comparison(story);
  for (const call of story.calls) if (!comparison.step(call)) return comparison.problems;
  comparison.finish();
  return comparison.problems;
}

class Comparison {
  readonly problems: string[] = [];
  #story: HolderStory;
  #reported: ReportedEvent[];
  #next = 0;
  #count = 0;
  #wasEverLost = false;
  #lastAcquired: Call | undefined;

  constructor(story: HolderStory) {
    this.#story = story;
    this.#reported = story.events.filter((event) => isStep(event) || isLossOf(event, story.holder));
  }

  /** Compares one call. Returns false if the two stories differ so much that nothing after it can be compared. */
  step(call: Call): boolean {
    if (call.outcome === null) return true;
    if (call.op === 'count') return this.#counted(call);
    if (hasAcquired(call)) {
      this.#lastAcquired = call;
      this.#takeLosses();
      this.#count += 1;
      return this.#expect(call, this.#count === 1 ? 'lock.acquired' : 'lock.reentered');
    }
    if (hasUnlocked(call)) {
      this.#takeLosses();
      if (this.#count === 0) return this.#expectRefusal(call, true);
      this.#count -= 1;
      return this.#expect(call, this.#count === 0 ? 'lock.released' : 'lock.partially-released');
    }
    if (isUnlockRefused(call)) {
      this.#takeLosses();
      if (this.#count > 0) {
        this.#problem(`${words(call)} found the hold lost, but no loss was reported before it`);
        this.#count = 0;
      }
      return this.#expectRefusal(call, false);
    }
    return true;
  }

  finish(): void {
    this.#takeLosses();
    const pending = this.#story.calls.find((call) => call.outcome === null);
    const rest = this.#reported.slice(this.#next);
    const extra = pending ? rest.filter(({ at }) => at < pending.called) : rest;
    if (extra.length > 0)
      this.#problem(`reported, but no call of the client is behind it: ${extra.map(shown).join(', ')}`);
    if (this.#count === 0 || rest.length > 0) return;
    if (this.#story.wasKilled) this.#problem('the client was killed while it held the lock, but no loss was reported');
    const leaseMs = this.#lastAcquired && leaseOf(this.#lastAcquired);
    const runsOut = leaseMs === undefined ? undefined : (this.#lastAcquired?.returned ?? 0) + leaseMs * 1000;
    if (runsOut !== undefined && runsOut + this.#story.toleranceMs * 1000 < this.#story.until) {
      this.#problem(`the lease of ${leaseMs} ms ran out, but no lease.expired was reported`);
    }
  }

  #counted(call: Call): boolean {
    this.#takeLosses(call.returned ?? call.called);
    const value = call.outcome && 'value' in call.outcome ? call.outcome.value : undefined;
    if (value !== undefined && value !== String(this.#count)) {
      this.#problem(`the client counted ${value} holds, the events ${this.#count}`);
    }
    return true;
  }

  #takeLosses(until = Number.POSITIVE_INFINITY): void {
    for (
      let event = this.#reported[this.#next];
      event && isLoss(event) && event.at <= until;
      event = this.#reported[this.#next]
    ) {
      if (this.#count === 0) this.#problem(`${shown(event)} was reported, but the client held nothing then`);
      this.#count = 0;
      this.#wasEverLost = true;
      this.#next += 1;
    }
  }

  #expectRefusal(call: Call, callerSawSuccess: boolean): boolean {
    const event = this.#reported[this.#next];
    if (!this.#expect(call, 'unlock.refused')) return false;
    if (event?.type !== 'unlock.refused') return true;
    if ((event.callerSawSuccess === true) !== callerSawSuccess) {
      this.#problem(`${words(call)}: callerSawSuccess is reported as ${event.callerSawSuccess}`);
    }
    if (event.reason === 'expired' && !this.#wasEverLost) {
      this.#problem(`${words(call)} was reported as refused because expired, but nothing expired`);
    }
    return true;
  }

  #expect(call: Call, type: ReportedEvent['type']): boolean {
    const event = this.#reported[this.#next];
    if (event?.type !== type) {
      const reported = this.#reported.slice(this.#next, this.#next + 3).map(shown);
      this.#problem(`${words(call)} should be reported as ${type}, but next is ${reported.join(', ') || 'nothing'}`);
      return false;
    }
    this.#next += 1;
    const slack = this.#story.toleranceMs * 1000;
    if (event.at < call.called - slack || event.at > (call.returned ?? Number.POSITIVE_INFINITY) + slack) {
      this.#problem(`${shown(event)} lies outside of its call ${words(call)} (${call.called}–${call.returned})`);
    }
    if ('holdCount' in event && event.holdCount !== this.#count) {
      this.#problem(`${shown(event)} reports hold count ${event.holdCount}, the client has ${this.#count}`);
    }
    return true;
  }

  #problem(text: string): void {
    this.problems.push(`${this.#story.holder} on ${JSON.stringify(this.#story.lock)}: ${text}`);
  }
}

function isStep(event: ReportedEvent): boolean {
  return (STEPS as ReadonlySet<string>).has(event.type);
}

function isLoss(event: ReportedEvent): boolean {
  return (LOSS as ReadonlySet<string>).has(event.type);
}

/** Whether an event ended that holder's hold in another way than by a release. */
export function isLossOf(event: ReportedEvent, holder: string): boolean {
  if (!isLoss(event)) return false;
  if ('holder' in event && event.holder === holder) return true;
  return event.type !== 'lock.found' && 'holders' in event && event.holders?.includes(holder) === true;
}

/** The lease time of a call, in ms; `undefined` if the watchdog renews its lease. */
function leaseOf(call: Call): number | undefined {
  return call.op === 'lock' ? call.args[0] : call.args[1];
}

/** A call in words, for the message of a failed test. */
export function words(call: Call): string {
  const outcome =
    call.outcome === null ? '…' : 'value' in call.outcome ? call.outcome.value : `! ${call.outcome.exception}`;
  return `${call.client} ${call.letter} ${[call.op, ...call.args].join(' ')} = ${outcome}`;
}

/** An event in words. */
export function shown(event: ReportedEvent): string {
  return `#${event.seq} ${event.type} at ${event.at}`;
}
