import { groupedBy } from '../../../shared/base/grouped-by.ts';
import type { DemoKind } from '../../../shared/wire/demo.ts';
import type { DemoProcess, ReportedStep } from '../lockscope/demo-process.ts';
import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { modeOfOrder } from '../random/random-lock.ts';
import { isLossOf, shown } from './holder-story.ts';

/** One finished step of a thread on a lock, which Redis ran between `from` and `to`. */
type Step = Pick<ReportedStep, 'name' | 'lock' | 'attempt' | 'ttlMs' | 'wokenBy'> & {
  kind: DemoKind;
  from: number;
  to: number;
};

const STEPS: Readonly<Record<string, readonly ReportedEvent['type'][]>> = {
  acquired: ['lock.acquired', 'lock.reentered'],
  refused: ['lock.refused'],
  'partially-released': ['lock.partially-released'],
  released: ['lock.released'],
  'unlock-refused': ['unlock.refused'],
};
const STEP_EVENTS = new Set<string>(Object.values(STEPS).flat());
const COUNTS: ReadonlySet<DemoKind> = new Set(['semaphore', 'expirable-semaphore', 'latch']);
/** Kinds in which the newest message or loss ends any waiter's sleep. */
const NAMES_CAUSES: ReadonlySet<DemoKind> = new Set(['lock', 'fenced-lock']);
/** What ends a sleep. */
const FREED = new Set(['lease.expired', 'wakeup.published']);
/**
 * Redis counts a lease from the start of the script, but MONITOR shows only when `pexpire` ran. On a busy machine, the
 * two may be this far apart.
 */
const TTL_SLACK_MS = 120;

/**
 * Compares every step that a client finished (each refused attempt with its TTL, each acquisition with what woke it)
 * with the events about its threads: they must be the same steps in the same order. Returns the differences in words.
 * Only an operation that was running when its client was killed may have more events than reported steps.
 */
export function compareSteps(client: DemoProcess, events: readonly ReportedEvent[], slackMs = 5): string[] {
  const problems: string[] = [];
  const byHolderAndLock = groupedBy(
    events.filter((event) => 'holder' in event && event.holder?.startsWith(client.uuid)),
    (event) => ('holder' in event ? keyOf(event.holder ?? '', modeOf(event), event.lock) : ''),
  );
  const reported = new Set<string>();
  for (const [thread, steps] of groupedBy(stepsOf(client), (step) => String(step.thread))) {
    for (const [, own] of groupedBy(steps, (step) => `${modeOfOrder(step.kind)} ${step.lock}`)) {
      const [first] = own;
      if (!first) continue;
      const { lock, kind } = first;
      const holder = `${client.uuid}:${thread}`;
      const key = keyOf(holder, modeOfOrder(kind), lock);
      reported.add(key);
      const open = client.open().some((order) => String(order.thread) === thread && order.lock === lock);
      const comparison = new Comparison(byHolderAndLock.get(key) ?? [], events, holder, slackMs * 1000);
      problems.push(
        ...comparison.compare(own, open).map((problem) => `${client.name}:${thread} on ${lock}: ${problem}`),
      );
    }
  }
  for (const [key, own] of byHolderAndLock) {
    const isOpen = client
      .open()
      .some(({ thread, kind, lock }) => key === keyOf(`${client.uuid}:${thread}`, modeOfOrder(kind), lock));
    const first = own.find((event) => STEP_EVENTS.has(event.type));
    if (!reported.has(key) && !isOpen && first) problems.push(`${shown(first)} of ${key}, who did nothing`);
  }
  return problems;
}

class Comparison {
  readonly #problems: string[] = [];
  readonly #reported: readonly ReportedEvent[];
  readonly #all: readonly ReportedEvent[];
  readonly #slack: number;
  #next = 0;
  #count = 0;
  #before: ReportedEvent | undefined;

  constructor(reported: readonly ReportedEvent[], all: readonly ReportedEvent[], holder: string, slack: number) {
    this.#reported = reported.filter((event) => STEP_EVENTS.has(event.type) || isLossOf(event, holder));
    this.#all = all;
    this.#slack = slack;
  }

  compare(steps: readonly Step[], isOpen: boolean): string[] {
    for (const step of steps) {
      this.#skipLosses();
      const event = this.#reported[this.#next];
      if (!event || !this.#couldBe(step, event)) {
        this.#problem(`${words(step)} is reported as ${event ? shown(event) : 'nothing'}`);
        return this.#problems;
      }
      this.#next++;
      this.#count = this.#countAfter(step, event);
      this.#compareOne(step, event);
      this.#before = event;
    }
    this.#skipLosses();
    const extra = this.#reported[this.#next];
    if (extra && !isOpen) this.#problem(`${shown(extra)} is reported, but the thread did nothing more`);
    return this.#problems;
  }

  #compareOne(step: Step, event: ReportedEvent): void {
    const expected = this.#typeOf(step);
    if (event.type !== expected && !isUncertain(step))
      this.#problem(`${words(step)} should be ${expected}, not ${shown(event)}`);
    if (event.at < step.from - this.#slack || event.at > step.to + this.#slack) {
      this.#problem(`${shown(event)} lies outside of ${words(step)}`);
    }
    if ('holdCount' in event && event.holdCount !== this.#count) {
      this.#problem(`${shown(event)} reports hold count ${event.holdCount}, it is ${this.#count}`);
    }
    if (event.type === 'lock.refused') this.#compareRefusal(step, event);
    if (step.wokenBy && NAMES_CAUSES.has(step.kind)) this.#compareCause(event);
  }

  #compareRefusal(step: Step, event: ReportedEvent & { type: 'lock.refused' }): void {
    // A `tryLock()` of a fair lock that does not wait gets the TTL 1.
    if (step.kind === 'fair-lock' && event.ttlMs === null && step.ttlMs === 1) return;
    if (event.ttlMs === null || Math.abs(event.ttlMs - (step.ttlMs ?? 0)) > TTL_SLACK_MS) {
      this.#problem(`${shown(event)} reports a TTL of ${event.ttlMs} ms, the client was reported ${step.ttlMs} ms`);
    }
  }

  /** An acquisition after a sleep must name what freed the lock: the newest such event since the attempt before. */
  #compareCause(event: ReportedEvent): void {
    if (event.type !== 'lock.acquired') return;
    const from = this.#before?.seq ?? 0;
    const freed = this.#between(from, event.seq).findLast(({ type, lock }) => FREED.has(type) && lock === event.lock);
    if (freed && !event.because?.includes(freed.seq) && !this.#isSleepHidden()) {
      const named = this.#all.filter(({ seq }) => event.because?.includes(seq)).map(shown);
      this.#problem(
        `${shown(event)} ended a sleep and names ${named.join(', ') || 'no cause'}: it was ${shown(freed)}`,
      );
    }
  }

  /**
   * Whether Redis's lines hide the sleep. No line names the thread that stops listening. So when another thread of the
   * client gave up, this one seemed to give up too (W6), and its only refusal since then looks like the first of a new
   * call.
   */
  #isSleepHidden(): boolean {
    const before = this.#before;
    if (before?.type !== 'lock.refused' || before.attempt !== 1) return false;
    const from = this.#reported[this.#next - 3]?.seq ?? 0;
    return this.#between(from, before.seq).some(
      (event) =>
        event.type === 'waiter.dequeued' &&
        event.certainty === 'inferred' &&
        event.holder === before.holder &&
        event.lock === before.lock,
    );
  }

  /** The events between two values of `seq`. A binary search finds them, because a long run has many events. */
  #between(seq: number, otherSeq: number): readonly ReportedEvent[] {
    return this.#all.slice(placeOf(this.#all, seq + 1), placeOf(this.#all, otherSeq));
  }

  #typeOf(step: Step): ReportedEvent['type'] | undefined {
    if (step.name !== 'acquired') return STEPS[step.name]?.[0];
    return this.#count === 1 ? 'lock.acquired' : 'lock.reentered';
  }

  /**
   * Whether the event can belong to the step. A script may report success to a client whose hold is gone: that it
   * released a lock which was free (fair and read locks), or that it still reads, because others do.
   */
  #couldBe(step: Step, event: ReportedEvent): boolean {
    if (STEPS[step.name]?.includes(event.type)) return true;
    if (!isUncertain(step)) return false;
    if (event.type === 'unlock.refused') return this.#count === 0 && event.callerSawSuccess === true;
    return event.type === (this.#count > 1 ? 'lock.partially-released' : 'lock.released');
  }

  #countAfter(step: Step, event: ReportedEvent): number {
    if (isUncertain(step)) return event.type === 'lock.partially-released' ? this.#count - 1 : 0;
    if (step.name === 'acquired') return this.#count + 1;
    if (step.name === 'partially-released') return this.#count - 1;
    return step.name === 'released' || step.name === 'unlock-refused' ? 0 : this.#count;
  }

  #skipLosses(): void {
    for (
      let event = this.#reported[this.#next];
      event && !STEP_EVENTS.has(event.type);
      event = this.#reported[this.#next]
    ) {
      if (this.#count === 0) this.#problem(`${shown(event)}, but it held nothing`);
      this.#count = 0;
      this.#next++;
    }
  }

  #problem(text: string): void {
    this.#problems.push(text);
  }
}

/** The place of the first event with at least this `seq`. */
function placeOf(events: readonly ReportedEvent[], seq: number): number {
  let [from, to] = [0, events.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((events[middle]?.seq ?? 0) < seq) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Whether the client can be wrong about what its unlock did. */
function isUncertain({ name, kind }: Step): boolean {
  const isUnlock = name === 'released' || name === 'partially-released';
  return isUnlock && (kind === 'read-lock' || kind === 'fair-lock');
}

function keyOf(holder: string, mode: string, lock: string): string {
  return `${holder} ${mode} ${lock}`;
}

function modeOf(event: ReportedEvent): string {
  return 'mode' in event && event.mode !== undefined ? event.mode : 'exclusive';
}

function stepsOf(client: DemoProcess): (Step & { thread: number })[] {
  const kinds = new Map<number, DemoKind>();
  for (const reported of client.reported)
    if (reported.type === 'truth') kinds.set(reported.op, reported.kind ?? 'lock');
  const steps: (Step & { thread: number })[] = [];
  const lastAt = new Map<number, number>();
  for (const reported of client.reported) {
    const { thread } = reported;
    if (thread === undefined || reported.op === undefined) continue;
    const isStep = reported.type === 'milestone' && STEPS[reported.name] !== undefined;
    if (reported.type === 'milestone' && !isStep) continue; // messages about the whole process are not ordered with the thread's
    const from = lastAt.get(thread) ?? reported.at;
    lastAt.set(thread, reported.at);
    const kind = kinds.get(reported.op) ?? 'lock';
    if (isStep && !COUNTS.has(kind)) steps.push({ ...reported, thread, kind, from, to: reported.at });
  }
  return steps;
}

function words(step: Step): string {
  return `${step.name}${step.attempt === undefined ? '' : ` at attempt ${step.attempt}`} (${step.from}–${step.to})`;
}
