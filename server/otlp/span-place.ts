import { hash } from 'node:crypto';
import type { Hold } from '../../shared/spans/holds-from-events.ts';
import type { Wait } from '../../shared/spans/wait.ts';

/**
 * The identity of a span, as hex digits: its trace, and the span in it. Null: it is not exported, and neither is its
 * trace.
 */
export type SpanPlace = { readonly traceId: string; readonly spanId: string } | null;

export type LockPlace = { readonly source: string; readonly db: number; readonly lock: string };

/**
 * The ids of a hold or wait, from its lock, holder and beginning: the same history has the same ids, in every process
 * that sees it. A span without a parent uses both ids, a span with a parent only `spanId`.
 */
export function idsOf(what: 'hold' | 'wait', { source, db, lock }: LockPlace, { holder, mode, from }: Hold | Wait) {
  // The length keeps a lock named `a:b` apart from a lock `a` with a holder that begins with `b:`.
  const digits = hash('sha256', `${what} ${source} ${db} ${lock.length} ${lock} ${mode} ${from} ${holder}`, 'hex');
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32, 48) };
}
