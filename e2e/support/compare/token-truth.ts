import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { orderProblems } from './compare-truth.ts';
import { shown } from './holder-story.ts';
import { holdProblems } from './lock-story.ts';

/** One operation of an actor (a thread, task or job worker), as a client of another library than Redisson saw it. */
type Call = {
  readonly client: string;
  readonly actor: string;
  readonly op: string;
  /** The names of the call's locks: several if it locks several keys. */
  readonly names: readonly string[];
  readonly called: number;
  returned: number;
  /** The result of the call; it begins with `!` for an exception. */
  result: string;
};

/** How far the clients' clocks and Redis's may differ, in µs. */
const SLACK = 5000;
const SUCCESS = new Set(['ok', 'true', '1']);
const GAINS: ReadonlySet<string> = new Set(['lock.acquired', 'lock.reentered']);

/**
 * Compares what clients of other libraries saw with the reported events. Returns every difference in words.
 *
 *   lock|try = ok         acquired or re-entered within the call, by the token that `owner` names
 *   try = false, !        refused, if anything was sent
 *   extend = ok           renewed, or acquired if it was late; otherwise renewal refused, if anything was sent
 *   unlock = ok           released; if the library does not compare: refused with callerSawSuccess, or another's deleted
 *   add … complete        jobs: taken, renewed, finished
 *
 * `isExcerpt`: events of other tests may be between these.
 */
export function compareTokenTruth(
  lines: readonly string[],
  events: readonly ReportedEvent[],
  isExcerpt = false,
): string[] {
  const calls = callsFrom(lines);
  const reported = (name: string) => events.filter(({ lock }) => isLockOf(lock, name));
  const problems = isExcerpt ? [] : orderProblems(events);
  for (const lock of new Set(events.map((event) => event.lock))) {
    // Re-entries are counted in the client: Redis sees only the last unlock.
    const own = events.filter((event) => event.lock === lock && event.type !== 'lock.reentered');
    problems.push(...holdProblems({ events: own }));
  }
  for (const call of calls) {
    for (const name of call.names) problems.push(...problemsOf(call, reported(name), calls));
    problems.push(...refusalProblems(call, call.names.flatMap(reported), calls));
  }
  const names = calls.flatMap((call) => call.names);
  for (const event of events) {
    if (event.kind !== 'token-lock') problems.push(`${shown(event)} is reported of a ${event.kind}`);
    if (!names.some((name) => isLockOf(event.lock, name))) problems.push(`${shown(event)} of ${event.lock}: no client`);
    if (event.type === 'drift.healed' || event.type === 'lock.found') problems.push(`${shown(event)}: nothing like it`);
    if (isOfOwnCall(event) && !calls.some((call) => isWithin(event, call))) problems.push(`${shown(event)}: no call`);
  }
  return problems;
}

function problemsOf(call: Call, reported: readonly ReportedEvent[], calls: readonly Call[]): string[] {
  const within = reported.filter((event) => isWithin(event, call));
  const count = (...types: string[]) => within.filter(({ type }) => types.includes(type)).length;
  const isOk = SUCCESS.has(call.result.split(' ')[0] ?? '');
  const problem = (text: string) => [`${call.client} ${call.actor} ${call.op} ${call.names} = ${call.result}: ${text}`];
  const others = calls.filter(({ actor, client }) => actor !== call.actor || client !== call.client);
  const isFalselyReported = (type: string) =>
    within.some(
      (event) => event.type === type && isDuring(event, call) && !others.some((each) => isWithin(event, each)),
    );
  switch (call.op) {
    case 'lock':
    case 'try': {
      return isOk && count(...GAINS) === 0 ? problem('no acquisition was reported') : [];
    }
    case 'owner': {
      const holderAt = (end: number) => {
        const newest = reported.findLast(({ type, at }) => type === 'lock.acquired' && at <= end);
        return newest && 'holder' in newest ? newest.holder : undefined;
      };
      const holders = [holderAt(call.returned), holderAt(call.returned + SLACK)];
      const isReported = call.result === 'unknown' || holders.includes(call.result);
      return isReported ? [] : problem(`${holders} was reported to hold it`);
    }
    case 'extend':
    case 'extendnx':
    case 'reacquire': {
      if (isOk)
        return count('lease.renewed', 'lease.shortened', 'lock.acquired') > 0 ? [] : problem('no renewal was reported');
      return isFalselyReported('lease.renewed') ? problem('a renewal was reported') : [];
    }
    case 'unlock':
    case 'force': {
      if (!isOk && isFalselyReported('lock.released')) return problem('a release was reported');
      if (!isOk)
        return count('unlock.refused') > 0 || TEXT_BY_CLIENT.test(call.result)
          ? []
          : problem('no refusal was reported');
      const isReportedSuccess = within.some((event) => event.type === 'unlock.refused' && event.callerSawSuccess);
      const isFreed = count('lock.released', 'lock.deleted', 'lease.renewed', 'lease.shortened', 'renewal.refused') > 0;
      return isFreed || isReportedSuccess || isInnerUnlock(call, calls) ? [] : problem('no release was reported');
    }
    case 'auto':
      return count('lock.acquired') > 0 ? [] : problem('no acquisition was reported');
    case 'took':
      return reported.some((event) => event.type === 'lock.acquired' && event.holder === call.result)
        ? []
        : problem('not reported');
    case 'take': {
      const [, token] = call.result.split(' ');
      const isTaken = within.some((event) => event.type === 'lock.acquired' && event.holder === token);
      return token === undefined || isTaken ? [] : problem('no acquisition was reported');
    }
    case 'complete':
    case 'fail':
      if (isOk) return count('lock.released') > 0 ? [] : problem('no release was reported');
      return count('unlock.refused') > 0 ? [] : problem('no refusal was reported');
    default:
      return [];
  }
}

/**
 * A failed attempt was refused at one of its keys. A thread that waits for another thread of its client sends nothing.
 */
function refusalProblems(call: Call, reported: readonly ReportedEvent[], calls: readonly Call[]): string[] {
  const isFailed = (call.op === 'lock' || call.op === 'try') && !SUCCESS.has(call.result.split(' ')[0] ?? '');
  if (!isFailed || mayBeBlockedLocally(call, calls)) return [];
  const isReported = reported.some((event) => event.type === 'lock.refused' && isWithin(event, call));
  return isReported ? [] : [`${call.client} ${call.actor} ${call.op} ${call.names}: no refusal was reported`];
}

/**
 * Errors that a client reports without asking Redis, or after a plain GET, which changes nothing and is not watched.
 */
const TEXT_BY_CLIENT =
  /not owned or is already unlocked|already been unlocked|You do not own|IllegalStateException: Lock was rel/;

/** Whether only a client's own call causes such an event. A job worker's events are within its call `auto`. */
function isOfOwnCall({ type }: ReportedEvent): boolean {
  return GAINS.has(type) || type === 'lock.released' || type === 'lock.refused' || type === 'lease.renewed';
}

/** Whether this is an inner unlock of a re-entered lock, which only the client counts. */
function isInnerUnlock(call: Call, calls: readonly Call[]): boolean {
  const before = calls.filter((each) => each.actor === call.actor && each.called <= call.called && each !== call);
  const locks = before.filter(({ op, result }) => op === 'lock' && result === 'ok').length;
  return locks - before.filter(({ op }) => op === 'unlock').length > 1;
}

/**
 * Whether another actor of the same client ever calls `lock`. That actor may hold the lock, and then the client sends
 * nothing to Redis.
 */
function mayBeBlockedLocally(call: Call, calls: readonly Call[]): boolean {
  return calls.some(({ client, actor, op }) => client === call.client && actor !== call.actor && op === 'lock');
}

function isLockOf(lock: string, name: string): boolean {
  return lock === name || lock.endsWith(`:${name}`) || (lock.startsWith(`bull:${name}:`) && lock.endsWith(':lock'));
}

function isDuring({ at }: ReportedEvent, call: Call): boolean {
  return at >= call.called && at <= call.returned;
}

function isWithin({ at, lock }: ReportedEvent, call: Call): boolean {
  if (!call.names.some((name) => isLockOf(lock, name))) return false;
  return at >= call.called - SLACK && at <= call.returned + SLACK;
}

function callsFrom(lines: readonly string[]): Call[] {
  const calls: Call[] = [];
  const open = new Map<string, Call>();
  for (const line of lines) {
    const [stamp, client = '', actor = '', direction, op = '', kindOrName = '', name = '', ...rest] = line.split(' ');
    if (actor === 'ready' || name === '') continue;
    const at = Number(stamp);
    if (direction === 'took') {
      const [, token = ''] = rest;
      const names = [kindOrName];
      calls.push({ client, actor, op: 'took', names, called: at, returned: at, result: token });
      continue;
    }
    const caller = `${client} ${actor}`;
    if (direction === '>') {
      const call = {
        client,
        actor,
        op,
        names: name.split(','),
        called: at,
        returned: Number.MAX_SAFE_INTEGER,
        result: '',
      };
      open.set(caller, call);
      calls.push(call);
    } else if (direction === '<') {
      const call = open.get(caller);
      if (!call) throw new Error(`not a truth line: ${line}`);
      const mark = rest.findIndex((word) => word === '=' || word === '!');
      call.returned = at;
      call.result = rest[mark] === '!' ? `! ${rest.slice(mark + 1).join(' ')}` : rest.slice(mark + 1).join(' ');
    }
  }
  return calls;
}
