import type { LockEvent } from '../../shared/events/event.ts';
import type { Account } from './account.ts';
import type { Expected } from './expected.ts';
import { fits } from './expected.ts';
import { COMMON, type Reported } from './judge.ts';

/** What a part of a trace must show. */
type View = {
  /** When watching began (microseconds). */
  readonly since: number;
  /** Types of events that must be reported if they happened. */
  readonly shows: ReadonlySet<string>;
};

/**
 * What level `monitor` shows from the middle of a trace: every command from then on, so only earlier ones are unseen.
 */
export const SHOWN_BY_COMMANDS: ReadonlySet<string> = new Set([
  ...['lock.acquired', 'lock.reentered', 'lock.refused', 'lock.partially-released', 'lock.released', 'unlock.refused'],
  ...['lease.renewed', 'renewal.refused', 'lock.force-released', 'waiter.queued', 'wakeup.published'],
]);

/**
 * What level `events` shows: no refusal, because refusals change no key, and no re-entry, because that looks like any
 * other change by the same thread.
 */
export const SHOWN_BY_KEY_EVENTS: ReadonlySet<string> = new Set(['lock.acquired', 'lock.released', 'wakeup.published']);

/** Events about reads, and about conclusions from reads or pauses. They did not happen in Redis. */
const OF_WATCHING = new Set(['lock.found', 'lock.learned']);
/**
 * Fields that depend on earlier events, or on the caller: they are absent, or counted since the lock was first seen.
 */
const UNSEEN = new Set([
  'attempt',
  'asleep',
  'wokenBy',
  'waitedMs',
  'lateMs',
  'subscribers',
  'position',
  'reason',
  'readTimeouts',
  'clientVersion',
]);

/**
 * Events that key events cannot distinguish: they show neither the client that set a lease nor whether an unlock was
 * forced. A flush sends none, so holds seem to last until their leases end. All of these are reported as inferred.
 */
const SEEMS: Readonly<Record<string, string>> = {
  'lock.force-released': 'lock.released',
  'db.flushed': 'lease.expired',
};

/** A push has no time: an event that it shows may have the time of the line before. */
type Dated = { readonly right: Expected; readonly from: number };

/**
 * Compares what is reported from a part of a trace with the account of the whole. Each reported event must have
 * happened, with the reported fields. Each event that is not reported must be of a type that `shows` does not list, or
 * older than `since`.
 */
export function judgePart(account: Account, events: readonly LockEvent[], { since, shows }: View): string[] {
  const byLock = new Map<string, Dated[]>();
  let before = 0;
  for (const { at, expected } of account.entries) {
    for (const right of expected) byLock.set(right.lock, [...(byLock.get(right.lock) ?? []), { right, from: before }]);
    before = at;
  }
  const matched = new Set<Expected>();
  const problems = (events as readonly Reported[]).flatMap((reported) => {
    if (OF_WATCHING.has(reported.type) || isConcluded(reported)) return [];
    const dated = (byLock.get(reported.lock) ?? []).filter(
      (each) => !matched.has(each.right) && isSame(each, reported),
    );
    const [best] = dated
      .map(({ right }) => right)
      .toSorted((a, b) => problemsOf(a, reported).length - problemsOf(b, reported).length);
    if (!best) return [`${nameOf(reported)} never happened`];
    matched.add(best);
    return problemsOf(best, reported);
  });
  const all = account.entries.filter(({ at }) => at > since).flatMap(({ expected }) => expected);
  const unseen = all.filter((right) => shows.has(right.type) && !matched.has(right));
  return [
    ...problems,
    ...unseen.map(({ type, lock, between }) => `${type} of ${lock} at ${between[0]} is not reported`),
  ];
}

/** Whether the end of a wait, or a position in a queue, may be inferred from a read. */
function isConcluded({ type, certainty }: Reported): boolean {
  return certainty === 'inferred' && (type === 'waiter.dequeued' || type === 'waiter.queued');
}

function isSame({ right, from }: Dated, { type, at, holder, certainty }: Reported): boolean {
  const [earliest, latest] = right.between;
  const seems = certainty === 'inferred' ? SEEMS[right.type] : undefined;
  if (type !== right.type && type !== seems) return false;
  const isLater = right.type === 'db.flushed';
  if (at < Math.min(from, earliest) || (at > latest && !isLater)) return false;
  const isUnsigned = certainty === 'inferred' && right.fields.cause === 'command';
  return holder === undefined || isUnsigned || fits(right.fields.holder, holder);
}

function problemsOf(right: Expected, reported: Reported): string[] {
  const names = Object.keys(reported).filter(
    (field) => !COMMON.has(field) && !UNSEEN.has(field) && field in right.fields,
  );
  const wrong = names.filter(
    (field) =>
      reported[field] !== null && !fits(right.fields[field], reported[field]) && !isRounded(right, reported, field),
  );
  return wrong.map(
    (field) =>
      `${nameOf(reported)}: ${field} is ${JSON.stringify(reported[field])}, not ${JSON.stringify(right.fields[field])}`,
  );
}

/** The length of a lease that a read found is rounded to milliseconds twice. */
function isRounded(right: Expected, reported: Reported, field: string): boolean {
  return field === 'leaseMs' && Math.abs(Number(reported[field]) - Number(right.fields[field])) <= 2;
}

function nameOf({ type, lock, at, ...rest }: Reported): string {
  return `${type} of ${lock} at ${at}${rest.holder === undefined ? '' : ` by ${rest.holder}`}`;
}
