import { groupedBy } from '../../../shared/base/grouped-by.ts';
import type { DemoProcess } from '../lockscope/demo-process.ts';
import type { ReportedEvent } from '../lockscope/lockscope.ts';
import type { Strike } from './fault.ts';
import { type Arrival, missingMessages } from './messages.ts';
import { type Compared, EVENTS_OF, overlaps, type Range, SLACK_US, stepsOf } from './steps.ts';

/** µs after the end of a fault: by then, lost connections are open again, and delayed data has arrived. */
const AFTERMATH_US = 4_000_000;
/** µs: how late a message may be on a busy machine, from when it was sent or from the end of a fault that delays it. */
const ARRIVES_WITHIN_US = 1_000_000;
/** µs: how long Lockscope may need to notice that a connection was cut, or that its answers are missing for 10 s. */
const NOTICED_WITHIN_US = { cut: 5_000_000, silence: 20_000_000 };

type Story = {
  readonly level: 'monitor' | 'events';
  readonly clients: readonly DemoProcess[];
  readonly events: readonly ReportedEvent[];
  readonly strikes: readonly Strike[];
  /** When the source was watched at another level than `level`. */
  readonly atOtherLevel: readonly Range[];
  /**
   * What was late on its way to Lockscope, sent at `from` and received at `to`; present only if all late messages are
   * known.
   */
  readonly late?: readonly Range[];
};

const BY_A_THREAD = new Set(Object.values(EVENTS_OF).flatMap((types) => [...types]));

/** How long (ms) threads begin nothing after a fault that confuses them, so that few of their steps are left out. */
export const REST_MS = AFTERMATH_US / 1000;

/**
 * Compares the events with what the clients did, outside of the ranges that Lockscope itself reports as blind spots:
 *
 *   every step that a client finished has its event           nothing is missing that was not reported as missing
 *   every event of a thread lies within one of its orders     nothing is reported that did not happen
 *   every lost connection has its blind spot                  every gap is marked
 *   a lock has one holder at a time, who alone ends the hold  no hold is given to another thread
 *   every drift has an explanation                            no event is wrong
 *
 * At level `events`, events do not show every step. So only the messages of releases must have been seen, and an event
 * of a thread on a lock must be later than that thread's first call for the lock.
 */
export function compareChaos({ level, clients, events, strikes, atOtherLevel, late }: Story): Compared {
  const blind = [...blindSpots(events), ...atOtherLevel];
  const confused = strikes.filter(({ confuses }) => confuses).map(({ from, to }) => ({ from, to: to + AFTERMATH_US }));
  const drifts = events.filter((event) => event.type === 'drift.healed' && event.cause === 'unexplained');
  const always = [
    ...unmarkedGaps(strikes, blind).map(({ name, from }) => `no blind spot for: ${name}, at ${from}`),
    ...twoHolders(events),
    ...drifts.map((event) => `unexplained: ${JSON.stringify(event)}`),
  ];
  const unseen = [...blind, ...confused];
  const missing =
    level === 'events'
      ? missingMessages(clients, events, unseen, arrivalOf(strikes, late))
      : missingSteps(clients, events, unseen);
  const invented =
    level === 'events' ? eventsBeforeAnyCall(clients, events) : inventedEvents(clients, events, confused, unseen);
  return { ...missing, problems: [...always, ...missing.problems, ...invented] };
}

function arrivalOf(strikes: readonly Strike[], late: Story['late']): Arrival {
  if (late) return { late, withinUs: SLACK_US };
  return { late: strikes.filter(({ delays }) => delays), withinUs: ARRIVES_WITHIN_US };
}

/** The blind spots that Lockscope reported; one that has not ended lasts for ever. */
function blindSpots(events: readonly ReportedEvent[]): Range[] {
  const spots: { from: number; to: number }[] = [];
  const open = new Map<string, (typeof spots)[number]>();
  for (const { type, at, source } of events) {
    if (type === 'blind-spot.began') {
      const spot = { from: at, to: Number.POSITIVE_INFINITY };
      spots.push(spot);
      open.set(source, spot);
    }
    const began = open.get(source);
    if (type === 'blind-spot.ended' && began) {
      began.to = at;
      open.delete(source);
    }
  }
  return spots;
}

/**
 * Whether an event reports a step of a thread on a lock. Semaphores and latches are left out: permits are returned by
 * their ids, and a latch has no holder.
 */
function isOfThread(event: ReportedEvent): event is ReportedEvent & { holder: string } {
  const isCounting = 'kind' in event && /semaphore|latch/.test(String(event.kind));
  return BY_A_THREAD.has(event.type) && 'holder' in event && !isCounting;
}

/** The finished steps for which there is no event. */
function missingSteps(
  clients: readonly DemoProcess[],
  events: readonly ReportedEvent[],
  excused: readonly Range[],
): Compared {
  const byKey = groupedBy(events.filter(isOfThread), ({ holder, lock }) => `${holder} ${lock}`);
  const problems: string[] = [];
  let [steps, leftOut] = [0, 0];
  for (const { uuid, name, reported } of clients) {
    const refused = new Set<number | undefined>();
    for (const step of stepsOf(reported)) {
      // A fair waiter behind a thread that died may attempt thousands of times a second: its refusals count once.
      const isCounted = step.name !== 'refused' || !refused.has(step.op);
      if (step.name === 'refused') refused.add(step.op);
      if (isCounted) steps++;
      if (overlaps(excused, step.from, step.at)) {
        if (isCounted) leftOut++;
        continue;
      }
      const own = byKey.get(`${uuid}:${step.thread} ${step.lock}`) ?? [];
      const isOfStep = ({ type, at }: ReportedEvent) =>
        EVENTS_OF[step.name]?.has(type) && at >= step.from - SLACK_US && at <= step.at + SLACK_US;
      if (!own.some(isOfStep))
        problems.push(`${name}:${step.thread} ${step.name} ${step.lock} at ${step.at}: no event`);
    }
  }
  return { problems, steps, leftOut };
}

/** The events of threads that ran no operation at that time. Inferred events are also accepted within a blind spot. */
function inventedEvents(
  clients: readonly DemoProcess[],
  events: readonly ReportedEvent[],
  confused: readonly Range[],
  unseen: readonly Range[],
): string[] {
  const orders = new Map<string, Range[]>();
  for (const { uuid, reported } of clients) {
    const called = new Map<number, number>();
    for (const message of reported) {
      if (message.type !== 'truth') continue;
      if (message.phase === 'called') called.set(message.op, message.at);
      const key = `${uuid}:${message.thread} ${message.lock}`;
      const list = orders.get(key) ?? [];
      if (message.phase === 'called') list.push({ from: message.at, to: Number.POSITIVE_INFINITY });
      else list[list.length - 1] = { from: called.get(message.op) ?? 0, to: message.at };
      orders.set(key, list);
    }
  }
  return events.flatMap((event) => {
    if (!isOfThread(event)) return [];
    const own = orders.get(`${event.holder} ${event.lock}`) ?? [];
    const excused = event.certainty === 'observed' ? confused : unseen;
    if (overlaps(own, event.at, event.at) || overlaps(excused, event.at, event.at)) return [];
    return [`${event.type} of ${event.holder} on ${event.lock} at ${event.at}: the thread ran no order`];
  });
}

/** Until when (µs) Lockscope may need to notice the faults that leave it blind; 0 if none is still to be noticed. */
export function unnoticedUntil(strikes: readonly Strike[], events: readonly ReportedEvent[]): number {
  return Math.max(0, ...unmarkedGaps(strikes, blindSpots(events)).map(({ until }) => until));
}

/** The faults that leave Lockscope blind and have no blind spot, and until when each may be noticed (µs). */
function unmarkedGaps(strikes: readonly Strike[], blind: readonly Range[]) {
  return strikes.flatMap(({ name, blind: how, from, to }) => {
    if (!how) return [];
    const until = to + NOTICED_WITHIN_US[how];
    return overlaps(blind, from, until) ? [] : [{ name, from, until }];
  });
}

/**
 * What is known about a lock's holder at one source. Nothing is known after a blind spot, a flush, a move to another
 * shard, an inferred end of the hold, and an event that is found by a read (`lock.found`, `drift.healed`).
 */
type Known = { readonly holder: string | null } | undefined;

function twoHolders(events: readonly ReportedEvent[]): string[] {
  const known = new Map<string, Known>();
  const problems: string[] = [];
  const plainLocks = new Set<string>();
  for (const event of events) {
    const { lock, type, seq } = event;
    if (type === 'blind-spot.began' || type === 'db.flushed') known.clear();
    const key = `${event.source} ${lock}`;
    if (!('kind' in event) || (event.kind !== 'lock' && event.kind !== 'fenced-lock')) continue;
    plainLocks.add(lock);
    const before = known.get(key);
    const holder = 'holder' in event ? event.holder : undefined;
    const isOther = before !== undefined && before.holder !== (holder ?? null);
    switch (type) {
      case 'lock.acquired':
        if (before !== undefined && before.holder !== null)
          problems.push(`seq ${seq}: ${holder} acquired ${lock} while ${before.holder} held it`);
        known.set(key, { holder: holder ?? null });
        break;
      case 'lock.reentered':
      case 'lock.partially-released':
        if (isOther) problems.push(`seq ${seq}: ${type} of ${lock} by ${holder} while ${before.holder} held it`);
        break;
      case 'lock.released':
      case 'lease.expired':
        if (isOther && holder !== undefined)
          problems.push(`seq ${seq}: ${type} of ${lock} for ${holder} while ${before.holder} held it`);
        // An inferred end, in a blind spot after a failover, may be wrong.
        if (event.certainty === 'inferred') known.delete(key);
        else known.set(key, { holder: null });
        break;
      case 'lock.force-released':
      case 'lock.deleted':
      case 'lock.evicted':
        known.set(key, { holder: null });
        break;
      case 'lock.found':
      case 'lock.moved':
      case 'drift.healed':
        known.delete(key);
        break;
      default:
    }
  }
  if (plainLocks.size === 0) problems.push('no event of a plain lock was compared');
  return problems;
}

/**
 * At level `events`, Lockscope infers which thread changed a lock. Returns the events of threads that had not begun a
 * call for the lock.
 */
function eventsBeforeAnyCall(clients: readonly DemoProcess[], events: readonly ReportedEvent[]): string[] {
  const first = new Map<string, number>();
  for (const { uuid, reported } of clients) {
    for (const message of reported) {
      const key = `${uuid}:${message.thread} ${message.lock}`;
      if (message.type === 'truth' && !first.has(key)) first.set(key, message.at);
    }
  }
  return events.flatMap((event) => {
    if (!isOfThread(event)) return [];
    const since = first.get(`${event.holder} ${event.lock}`) ?? Number.POSITIVE_INFINITY;
    return since <= event.at + SLACK_US ? [] : [`${event.type} of ${event.holder} on ${event.lock}: no call before it`];
  });
}
