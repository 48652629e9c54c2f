import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { shown, words } from './holder-story.ts';
import { type Call, hasAcquired, hasGivenUp, hasUnlocked, locksOf } from './truth.ts';

const STEPS = new Set(['lock.acquired', 'lock.reentered', 'lock.partially-released', 'lock.released']);
const GAINS = new Set(['lock.acquired', 'lock.reentered']);

/** Whether the call was on several locks together: it runs ordinary operations, one member after another. */
export function isOnSeveralLocks({ kind }: Call): boolean {
  return kind === 'multi' || kind === 'red';
}

/**
 * Compares what threads saw of multi locks and RedLocks with the reported events of their members.
 *
 *   lock = ok       the hold count of each member (RedLock: of a majority) rises by 1, whatever was rolled back before
 *   try = false     all that was acquired was released
 *   unlock = ok     the hold count of each member falls by 1 (RedLock: or stays)
 *
 * `holdersOf` returns a call's holder ids, one for each server. `slack` in µs.
 */
export function compareMembers(
  calls: readonly Call[],
  events: readonly ReportedEvent[],
  holdersOf: (call: Call) => readonly string[],
  slack: number,
): string[] {
  const problems: string[] = [];
  const steps = events.filter(({ type }) => STEPS.has(type));
  const behind = new Map<ReportedEvent, Call>();
  for (const event of steps) {
    const own = calls.filter((call) => 'holder' in event && holdersOf(call).includes(event.holder ?? ''));
    const [nearest] = own.sort((a, b) => distance(event, a) - distance(event, b));
    if (nearest && distance(event, nearest) <= slack) behind.set(event, nearest);
  }
  for (const call of calls) {
    const within = steps.filter((event) => behind.get(event) === call);
    const members = locksOf(call);
    const gained = members.map((lock, index) => gainOf(within.filter((event) => isOfMember(event, call, lock, index))));
    if (!isFitting(call, gained))
      problems.push(`${words(call)}: ${members.join()} are reported as gained ${gained.join()}`);
  }
  const others = steps.filter((event) => !behind.has(event));
  return [...problems, ...others.map((event) => `${shown(event)} of ${event.lock}, which no call is behind`)];
}

/** How far outside of a call an event is, in µs; 0 if it is within. A thread's next call may follow immediately. */
function distance({ at }: ReportedEvent, { called, returned }: Call): number {
  return Math.max(0, called - at, at - (returned ?? Number.POSITIVE_INFINITY));
}

/** The n-th member of a RedLock is on the n-th server, and may have the same name as the others. */
function isOfMember(event: ReportedEvent, call: Call, lock: string, index: number): boolean {
  return event.lock === lock && (call.kind === 'multi' || event.source.endsWith(`-${index + 1}`));
}

function gainOf(steps: readonly ReportedEvent[]): number {
  return steps.reduce((sum, { type }) => sum + (GAINS.has(type) ? 1 : -1), 0);
}

function isFitting(call: Call, gained: readonly number[]): boolean {
  const isRed = call.kind === 'red';
  if (hasAcquired(call)) {
    const got = gained.filter((gain) => gain === 1).length;
    return gained.every((gain) => gain === 1 || (isRed && gain === 0)) && got > gained.length / 2;
  }
  if (hasUnlocked(call)) return gained.every((gain) => gain === -1 || (isRed && gain === 0));
  return !hasGivenUp(call) || gained.every((gain) => gain === 0);
}
