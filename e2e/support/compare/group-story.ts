import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { shown, words } from './holder-story.ts';
import { type Call, hasAcquired, hasGivenUp, isWithin, parseTruth } from './truth.ts';

const ATTEMPTS: ReadonlySet<string> = new Set(['lock.acquired', 'lock.reentered', 'lock.refused']);

/**
 * Compares the locks that clients acquired together (truth lines of the kinds `multi` and `red`) with the reported
 * groups. Returns every difference in words: missing groups, groups for which there is no evidence but time, and ends
 * that differ from the result of the call.
 */
export function compareGroups(lines: readonly string[], events: readonly ReportedEvent[], slack = 2000): string[] {
  const truth = parseTruth(lines);
  const problems: string[] = [];
  const reported = new Map<string, Call>();
  const isOfCall = (call: Call) => (event: ReportedEvent) => {
    const [client, thread] = String('holder' in event ? event.holder : '').split(/:(?=-?\d+$)/);
    const isClient = call.kind === 'red' || truth.uuids.get(call.client) === client;
    return isClient && thread === call.thread && isWithin(event.at, call, slack);
  };
  truth.calls.forEach((call, index) => {
    if (call.op !== 'lock' && call.op !== 'try') return;
    const attempts = events.filter((event) => ATTEMPTS.has(event.type) && isOfCall(call)(event));
    const groups = new Set(attempts.map(({ group }) => group));
    if (!isOfSeveral(call) || new Set(attempts.map(({ source, lock }) => `${source}/${lock}`)).size < 2) {
      for (const event of attempts)
        if (event.group) problems.push(`${words(call)} is of no group, but ${shown(event)} is`);
      return;
    }
    const [group] = groups;
    const isRolledBack = events.some((event) => event.type === 'lock.released' && isOfCall(call)(event));
    if (!isRolledBack && !hasEvidence(call, truth.calls)) {
      for (const event of attempts)
        if (event.group) problems.push(`nothing but time shows that ${words(call)} is one operation: ${shown(event)}`);
      return;
    }
    if (groups.size !== 1 || group === undefined) {
      problems.push(`${words(call)} was reported as ${groups.size} groups: ${attempts.map(shown).join(', ')}`);
      return;
    }
    const other = reported.get(group);
    if (other) problems.push(`${words(call)} and ${words(other)} were reported as one group`);
    reported.set(group, call);
    problems.push(...compareEnd(call, truth.calls.slice(index + 1), group, events, isOfCall));
  });
  return problems;
}

type Filter = (call: Call) => (event: ReportedEvent) => boolean;

function compareEnd(
  call: Call,
  later: readonly Call[],
  group: string,
  events: readonly ReportedEvent[],
  isOfCall: Filter,
) {
  const unlock = later.find(
    (each) => each.op === 'unlock' && each.client === call.client && each.letter === call.letter,
  );
  const closing = hasAcquired(call) ? unlock : call;
  if (!closing) return [];
  const releases = events.filter((event) => event.type === 'lock.released' && isOfCall(closing)(event));
  const problems = releases
    .filter((event) => event.group !== group)
    .map((event) => `${shown(event)} is not of the group of ${words(call)}`);
  const last = releases.at(-1);
  if (hasAcquired(call) && last?.groupEnd !== 'released') problems.push(`${words(call)} was not reported as released`);
  if (hasGivenUp(call) && last && last.groupEnd !== 'rolled-back') {
    problems.push(`${words(call)} was not reported as rolled back`);
  }
  return problems;
}

/**
 * Whether anything besides time and a roll-back shows that a call's locks belong together: a client of several servers,
 * leases set to their real length (wait and lease are both given), or the same locks acquired before.
 */
function hasEvidence(call: Call, calls: readonly Call[]): boolean {
  const locks = locksOf(call);
  const ended = ({ returned }: Call) => returned ?? Number.POSITIVE_INFINITY;
  const isRepeated = calls.some(
    (each) => each.op !== 'unlock' && each.kind === call.kind && locksOf(each) === locks && ended(each) < ended(call),
  );
  return call.kind === 'red' || call.args.length > 1 || isRepeated;
}

/** The locks of a call; some applications sort them before they lock. */
function locksOf({ lock }: Call): string {
  return lock.split(',').sort().join(',');
}

function isOfSeveral({ kind }: Call): boolean {
  return kind === 'multi' || kind === 'red';
}
