import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { shown, words } from './holder-story.ts';
import { type Call, isWithin, locksOf } from './truth.ts';

/** Whether the call was part of a transaction: a write, a commit or a rollback. */
export function isInTransaction({ kind }: Call): boolean {
  return kind === 'tx';
}

/**
 * Compares writes within transactions with the reported events of their locks. `holderOf` returns the holder id of the
 * thread; in Redis the id of the transaction follows it. `slack` in µs.
 *
 *   put = ok              acquired within the call; refusals only within the call
 *   commit, rollback = ok released within the call
 */
export function compareTransactions(
  calls: readonly Call[],
  events: readonly ReportedEvent[],
  holderOf: (call: Call) => string,
  slack: number,
): string[] {
  const explained = new Set<ReportedEvent>();
  const problems: string[] = [];
  for (const call of calls) {
    const within = events.filter(
      (event) =>
        locksOf(call).includes(event.lock) &&
        'holder' in event &&
        event.holder?.startsWith(`${holderOf(call)}:`) === true &&
        isWithin(event.at, call, slack),
    );
    const type = call.op === 'put' ? 'lock.acquired' : 'lock.released';
    const reported = within.filter((event) => event.type === type);
    if (reported.length !== 1)
      problems.push(`${words(call)} should be reported as ${type}, it is ${reported.length} times`);
    for (const event of within) if (event.type === type || event.type === 'lock.refused') explained.add(event);
  }
  const others = events.filter((event) => HOLDING.has(event.type) && !explained.has(event));
  return [...problems, ...others.map((event) => `${shown(event)} of ${event.lock}, which no call is behind`)];
}

const HOLDING = new Set(['lock.acquired', 'lock.reentered', 'lock.refused', 'lock.released', 'unlock.refused']);
