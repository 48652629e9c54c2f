import type { ToldEvent } from '../clients/lockscope.ts';
import { shown, words } from './holder-story.ts';
import { type Call, isWithin, locksOf } from './truth.ts';

/** True when the call was about what a transaction writes. */
export function isOfTransaction({ kind }: Call): boolean {
  return kind === 'tx';
}

/**
 * Compares what threads wrote within transactions with what was told of the locks behind it. `holderOf` gives the
 * thread; in Redis the id of the transaction follows it. `slack` in µs.
 *
 *   put = ok              acquired within the call, after refusals within it alone
 *   commit, rollback = ok released within the call
 */
export function compareTransactions(
  calls: readonly Call[],
  events: readonly ToldEvent[],
  holderOf: (call: Call) => string,
  slack: number,
): string[] {
  const explained = new Set<ToldEvent>();
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
    const told = within.filter((event) => event.type === type);
    if (told.length !== 1) problems.push(`${words(call)} should be told as ${type}, it is ${told.length} times`);
    for (const event of within) if (event.type === type || event.type === 'lock.refused') explained.add(event);
  }
  const others = events.filter((event) => HOLDING.has(event.type) && !explained.has(event));
  return [...problems, ...others.map((event) => `${shown(event)} of ${event.lock}, which no call is behind`)];
}

const HOLDING = new Set(['lock.acquired', 'lock.reentered', 'lock.refused', 'lock.released', 'unlock.refused']);
