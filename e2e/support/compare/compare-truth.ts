import { groupedBy } from '../../../shared/base/grouped-by.ts';
import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { compareAttempts, missingRefusals } from './attempt-story.ts';
import { compareCounting, isCounting } from './counting-story.ts';
import { compareGroupLock, isOnGroupLock } from './group-lock-story.ts';
import { compareHolderStory, shown, words } from './holder-story.ts';
import { compareLockStory } from './lock-story.ts';
import { compareMembers, isOnSeveralLocks } from './member-story.ts';
import { compareTransactions, isInTransaction } from './transaction-story.ts';
import { type Call, hasAcquired, isHeld, isWithin, locksOf, parseTruth, type Truth, thrown } from './truth.ts';

type Comparison = {
  /** Clients that were killed: their holds at the end are lost. */
  killed?: readonly string[];
  /** How many ms the clocks of client and Redis may differ. Both run on one machine. */
  toleranceMs?: number;
  /** True if the events are only those of the locks that the clients used, so that `seq` has gaps. */
  isExcerpt?: boolean;
  /** How many ms after its call a thread has certainly run its attempt: more on a busy machine. */
  surelyTriedMs?: number;
};

const ACQUIRED: ReadonlySet<string> = new Set(['lock.acquired', 'lock.reentered']);
const ATTEMPTS: ReadonlySet<string> = new Set([...ACQUIRED, 'lock.refused']);

/**
 * Compares what clients saw (their truth lines) with the events that were reported for the same time (`/api/events`, in
 * order). Returns every difference in words; an empty list if all is equal.
 */
export function compareTruth(
  lines: readonly string[],
  events: readonly ReportedEvent[],
  { killed = [], toleranceMs = 5, surelyTriedMs = 250, isExcerpt = false }: Comparison = {},
): string[] {
  const slack = toleranceMs * 1000;
  const everything = parseTruth(lines);
  const counting = partOf(everything, events, isCounting);
  const members = partOf(everything, events, isOnSeveralLocks);
  const transactions = partOf(everything, events, isInTransaction);
  const groupLocks = partOf(everything, events, isOnGroupLock);
  const hasOwnComparison = (call: Call) =>
    [isCounting, isOnSeveralLocks, isInTransaction, isOnGroupLock].some((is) => is(call));
  const otherLocks = partOf(everything, events, (call) => !hasOwnComparison(call));
  const problems = [
    ...compareCounting(counting.truth, counting.events, slack),
    ...compareMembers(members.truth.calls, members.events, (call) => holdersOf(everything, call), slack),
    ...compareTransactions(
      transactions.truth.calls,
      transactions.events,
      (call) => holdersOf(everything, call)[0]!,
      slack,
    ),
    ...compareGroupLock(groupLocks.truth, groupLocks.events, slack),
    ...compareOtherLocks(otherLocks.truth, otherLocks.events, { killed, toleranceMs, surelyTriedMs }),
  ];
  return [...problems, ...orderProblems(events, isExcerpt), ...inventedEvents(everything, events)];
}

/** The calls of some kinds, and the events of their locks. */
function partOf(truth: Truth, events: readonly ReportedEvent[], isIn: (call: Call) => boolean) {
  const calls = truth.calls.filter(isIn);
  const locks = new Set(calls.flatMap(locksOf));
  return { truth: { ...truth, calls }, events: events.filter(({ lock }) => locks.has(lock)) };
}

function holdersOf({ uuidsOfServers }: Truth, { client, thread }: Call): string[] {
  return (uuidsOfServers.get(client) ?? []).map((uuid) => `${uuid}:${thread}`);
}

/** Compares the locks of the kinds that have no comparison of their own. */
function compareOtherLocks(
  truth: Truth,
  events: readonly ReportedEvent[],
  { killed, toleranceMs, surelyTriedMs }: Required<Omit<Comparison, 'isExcerpt'>>,
): string[] {
  const problems = incomparable(truth);
  const uuids = uuidsOf(truth, events, toleranceMs);
  const holderOf = (call: Call): string => `${uuids.get(call.client) ?? '?'}:${call.thread}`;
  const slack = toleranceMs * 1000;

  for (const [client, uuid] of uuids)
    if (uuid === null && truth.calls.some((call) => call.client === client))
      problems.push(`no holder in the events fits client ${client}`);
  for (const [key, calls] of groupedBy(truth.calls, (call) => `${call.lock}\n${holderOf(call)}\n${modeOf(call)}`)) {
    const [first] = calls;
    if (!first) continue;
    const holder = holderOf(first);
    const isReported = (event: ReportedEvent) => event.lock === first.lock && concerns(event, holder);
    const reported = events.filter((event) => isReported(event) && isInMode(event, modeOf(first)));
    const wasKilled = killed.includes(first.client);
    const story = { holder, lock: first.lock, calls, events: reported, wasKilled, until: truth.lastAt, toleranceMs };
    problems.push(...compareHolderStory(story), ...compareAttempts(key, calls, reported, events, slack));
  }
  for (const [lock, calls] of groupedBy(truth.calls, (call) => call.lock)) {
    const reported = events.filter((event) => event.lock === lock);
    problems.push(
      ...compareLockStory({ lock, calls, events: reported, slack }),
      ...missingRefusals(calls, reported, holderOf, slack, surelyTriedMs),
    );
    const holders = new Set(calls.map(holderOf));
    const withoutClient = reported.filter((event) => 'holder' in event && event.holder && !holders.has(event.holder));
    problems.push(
      ...withoutClient.map((event) => `${shown(event)} of a holder that no client is: ${JSON.stringify(event)}`),
    );
  }
  return problems;
}

/** Calls whose result does not show what they did. */
function incomparable({ calls }: Truth): string[] {
  return calls.flatMap((call) => {
    if (!isHeld(call)) return [`cannot compare locks of kind ${call.kind}: ${words(call)}`];
    const exception = thrown(call);
    if (exception === undefined || (call.op === 'unlock' && exception === 'IllegalMonitorStateException')) return [];
    if (call.op !== 'unlock' && call.kind.startsWith('nonreentrant')) return []; // refused because of its own hold
    return [`the client could not tell what happened: ${words(call)}`];
  });
}

/**
 * The uuid of each client. If a Redisson version does not report it, the events show it: the client's uuid has an
 * acquisition within each call that acquired, and no attempt outside of the client's calls. A uuid that is found
 * belongs to no other client. Null: no uuid fits, or several do.
 */
function uuidsOf(truth: Truth, events: readonly ReportedEvent[], toleranceMs: number): Map<string, string | null> {
  const uuids = new Map(truth.uuids);
  for (const call of truth.calls) if (!uuids.has(call.client)) uuids.set(call.client, null);
  const attempts = events.filter(({ type }) => ATTEMPTS.has(type));
  const candidates = new Set(attempts.map((event) => uuidOf(String('holder' in event ? event.holder : ''))));
  const slack = toleranceMs * 1000;
  const isFitting = (client: string, uuid: string): boolean => {
    const calls = truth.calls.filter((call) => call.client === client);
    const own = attempts.filter((event) => 'holder' in event && uuidOf(String(event.holder)) === uuid);
    const isOfCall = (event: ReportedEvent, call: Call) =>
      'holder' in event &&
      event.holder === `${uuid}:${call.thread}` &&
      event.lock === call.lock &&
      isWithin(event.at, call, slack);
    return (
      calls
        .filter(hasAcquired)
        .every((call) => own.some((event) => ACQUIRED.has(event.type) && isOfCall(event, call))) &&
      own.every((event) => calls.some((call) => isOfCall(event, call)))
    );
  };
  for (const uuid of uuids.values()) if (uuid !== null) candidates.delete(uuid);
  for (let before = -1; before !== candidates.size; ) {
    before = candidates.size;
    for (const [client, uuid] of uuids) {
      if (uuid !== null) continue;
      const [only, ...others] = [...candidates].filter((candidate) => isFitting(client, candidate));
      if (only === undefined || others.length > 0) continue;
      uuids.set(client, only);
      candidates.delete(only);
    }
  }
  return uuids;
}

/**
 * Events out of order. `seq` must rise by one, in an excerpt by one or more. `at` must not fall between observed events
 * of a source.
 */
export function orderProblems(events: readonly ReportedEvent[], isExcerpt = false): string[] {
  const problems: string[] = [];
  const latest = new Map<string, number>();
  events.forEach((event, index) => {
    const before = events[index - 1];
    const isNext = !before || (isExcerpt ? event.seq > before.seq : event.seq === before.seq + 1);
    if (!isNext) problems.push(`seq jumps from ${before.seq} to ${event.seq}`);
    if (event.certainty !== 'observed') return;
    const last = latest.get(event.source) ?? 0;
    if (event.at < last) problems.push(`${shown(event)} is observed, but earlier than the event before it`);
    latest.set(event.source, Math.max(last, event.at));
  });
  return problems;
}

/** Events that must not occur: drift, found locks, and events of no lock that a client used, such as blind spots. */
function inventedEvents(truth: Truth, events: readonly ReportedEvent[]): string[] {
  const locks = new Set(truth.calls.flatMap(locksOf));
  return events
    .filter(({ lock, type }) => !locks.has(lock) || type === 'drift.healed' || type === 'lock.found')
    .map((event) => `reported, but nothing of the kind happened: ${JSON.stringify(event)}`);
}

function concerns(event: ReportedEvent, holder: string): boolean {
  return (
    ('holder' in event && event.holder === holder) ||
    ('holders' in event && JSON.stringify(event.holders).includes(holder))
  );
}

/** The mode in which a call acquires the lock. A thread may hold a read-write lock in both modes. */
function modeOf({ kind }: Call): 'read' | 'write' | 'exclusive' {
  return kind === 'read' || kind === 'write' ? kind : 'exclusive';
}

function isInMode(event: ReportedEvent, mode: string): boolean {
  return !('mode' in event) || event.mode === undefined || event.mode === mode;
}

function uuidOf(holder: string): string {
  return holder.slice(0, holder.lastIndexOf(':'));
}
