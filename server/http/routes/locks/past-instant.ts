import { type RedisTime, redisTime } from '../../../../shared/base/time.ts';
import { problem } from '../../../../shared/wire/problems/problem.ts';
import type { UnseenAt } from '../../../../shared/wire/unseen-at.ts';
import type { Observatory } from '../../../watch/observatory.ts';
import { HttpProblem } from '../../problems/problem.ts';
import { checkSource } from '../observe.ts';

/** A client that measures Redis's clock over the network may be ahead of it by this much. */
const CLOCK_ERROR_MICROS = 1_000_000;

/** The newest instant that is not in the future. With `source`: by the clock of that source. */
export function presentOf(observatory: Observatory, source?: string): RedisTime {
  return observatory.latest?.(source) ?? observatory.now(source);
}

/** Throws a 400 if `at` is more than 1 s in the future. */
export function notAfter(now: RedisTime, field: string, at: number): void {
  if (at <= now + CLOCK_ERROR_MICROS) return;
  throw new HttpProblem(400, problem('in-the-future', { field, now }), field);
}

/**
 * Returns the instant if memory or the store goes back to it, or, without any event, if watching had begun. Throws a
 * 400 if it is in the future, and a 410 if nothing is known about it.
 */
export function instantInMemory(at: number, observatory: Observatory, source?: string, field = 'at'): RedisTime {
  notAfter(presentOf(observatory, source), field, at);
  const oldestAt = observatory.history.oldestAt ?? observatory.watchedFrom();
  if (oldestAt !== undefined && at >= oldestAt) return redisTime(at);
  throw new HttpProblem(410, problem('forgotten', oldestAt === undefined ? {} : { oldestAt }), field);
}

/**
 * The instant at which a list is requested; `undefined`: now. A list of now throws a 404 if its source does not exist.
 */
export function instantAsked(
  observatory: Observatory,
  { at, source }: { at?: number | undefined; source?: string | undefined },
): RedisTime | undefined {
  if (at !== undefined) return instantInMemory(at, observatory, source);
  if (source !== undefined) checkSource(observatory, source, 'source');
  return undefined;
}

/**
 * Throws a 404 if a past list names a source that does not exist now and has no event in memory. With an event, it may
 * have been watched then. If there is a store, throws nothing: it may have what memory lacks.
 */
export async function checkRemembered(
  observatory: Observatory,
  { at, source }: { at?: number | undefined; source?: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  if (at === undefined || source === undefined || observatory.store !== undefined) return;
  if (observatory.sources().some(({ id }) => id === source)) return;
  const { events } = await observatory.history.search({ source, limit: 1 }, signal);
  if (events.length === 0) throw new HttpProblem(404, problem('unknown-source'), 'source');
}

/** What could not be seen at a past instant, as a part of an answer. */
export async function unseenPart(
  observatory: Observatory,
  at: RedisTime | undefined,
  signal: AbortSignal,
): Promise<{ unseen?: UnseenAt[] }> {
  const unseen = at === undefined ? [] : await observatory.unseenAt(at, signal);
  return unseen.length === 0 ? {} : { unseen };
}
