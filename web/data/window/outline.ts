import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { lockIdOf } from '../../../shared/state/lock-state.ts';
import type { outlineBody } from '../../../shared/wire/outline.ts';
import { getJson } from '../http/http.ts';
import type { BlindRange } from './blind-spots.ts';
import type { TimeSpan } from './time-span.ts';

/** The columns of a range of time in which a lock was held, and waited for: `first, length, first, length, …`. */
export type LockColumns = { readonly held: readonly number[]; readonly waited: readonly number[] };

/** When locks were held and waited for in a range of time. It is drawn where no events are loaded. */
export type Outline = TimeSpan & {
  readonly columns: number;
  /** How many events the range has. */
  readonly events: number;
  readonly locks: ReadonlyMap<string, LockColumns>;
  /** When sources were not watched. */
  readonly blind: readonly BlindRange[];
  /** How many locks the answer had no room for. */
  readonly omitted: number;
  /** The name of the only lock that was asked for; empty: all locks. */
  readonly onlyLock: string;
};

/** Reads the outline of a range of time. */
export async function readOutline(
  ask: TimeSpan & { readonly columns: number; readonly lock: string },
  signal: AbortSignal,
): Promise<Outline> {
  const query = new URLSearchParams({
    from: String(Math.max(0, Math.floor(ask.from))),
    to: String(Math.ceil(ask.to)),
    columns: String(ask.columns),
  });
  if (ask.lock !== '') query.set('lock', ask.lock);
  const { from, to, columns, events, blind, locks, omitted } = await getJson<typeof outlineBody>(
    `/api/outline?${query}`,
    signal,
  );
  return {
    from: redisTime(from),
    to: redisTime(to),
    columns,
    events,
    blind: blind.map(({ source, from, to }) => ({
      source,
      from: redisTime(from),
      to: to === null ? null : redisTime(to),
    })),
    locks: new Map(locks.map(({ held, waited, ...lock }) => [lockIdOf(lock), { held, waited }])),
    omitted,
    onlyLock: ask.lock,
  };
}

/** Whether an outline shows anything of a lock in a range of time. */
export function isOutlined({ from, to, columns, locks }: Outline, id: string, span: TimeSpan): boolean {
  const lock = locks.get(id);
  if (!lock) return false;
  const columnOf = (at: RedisTime) => ((at - from) / Math.max(1, to - from)) * columns;
  const [first, last] = [columnOf(span.from), columnOf(span.to)];
  return [lock.held, lock.waited].some((pairs) =>
    pairs.some((begin, i) => i % 2 === 0 && begin <= last && begin + (pairs[i + 1] ?? 0) >= first),
  );
}
