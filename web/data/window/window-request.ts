import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { isOfClient, type LockEvent } from '../../../shared/events/event.ts';
import type { eventsBody } from '../../../shared/wire/http.ts';
import type { windowBody } from '../../../shared/wire/window.ts';
import { getJson } from '../http/http.ts';
import { type Drop, dropsFrom } from './drops.ts';
import { type LoadedRange, rangeFrom } from './loaded-range.ts';
import type { Memory } from './memory.ts';

/** The timeout of a request for events. */
export const ANSWER_MS = 30_000;
/** Events in one request: parsing a larger response would delay frames. */
const PAGE = 5000;
/** The nearest event is searched among this many on each side. */
const NEAR_EVENTS = 500;

type WindowAnswer = { readonly range: LoadedRange; readonly memory: Memory | null };

/** Reads a range of history; `to` null: up to now. A range with more than 5,000 events is cut: see `range.to`. */
export async function readWindow(
  ask: { from: RedisTime; to: RedisTime | null; lock: string; source?: string; db?: number },
  signal: AbortSignal,
): Promise<WindowAnswer> {
  const query = new URLSearchParams({ from: whole(ask.from), limit: String(PAGE) });
  if (ask.to !== null) query.set('to', whole(ask.to));
  if (ask.lock !== '') query.set('lock', ask.lock);
  if (ask.source !== undefined) query.set('source', ask.source);
  if (ask.db !== undefined) query.set('db', String(ask.db));
  const body = await getJson<typeof windowBody>(`/api/window?${query}`, signal);
  const { oldestAt, oldestSeq } = body;
  const memory = oldestAt === null ? null : { oldestAt: redisTime(oldestAt), hasDropped: oldestSeq > 1 };
  return { range: rangeFrom(body, ask.to === null), memory };
}

/**
 * Reads which locks were dropped from the server's memory since an instant, and when. Of earlier drops, only those of
 * locks with the name `lock` are read.
 */
export async function readDrops(from: RedisTime, lock: string, signal: AbortSignal): Promise<readonly Drop[]> {
  const query = new URLSearchParams({ from: whole(from), lock });
  return dropsFrom(await getJson<typeof windowBody>(`/api/window?${query}`, signal));
}

/** Reads the events that follow a `seq`, or the newest ones before it. */
export async function readEvents(
  ask: { after: number; limit: number } | { before: number; limit: number },
  lock: string,
  signal: AbortSignal,
): Promise<{ events: readonly LockEvent[]; oldestSeq: number }> {
  const query = new URLSearchParams({ dense: 'true' });
  for (const [name, value] of Object.entries(ask)) query.set(name, String(value));
  if (lock !== '') query.set('lock', lock);
  return getJson<typeof eventsBody>(`/api/events?${query}`, signal);
}

/** Reads one event; null if the server does not have it. `isDropped`: it had the event once. */
export async function readEvent(
  seq: number,
  signal: AbortSignal,
): Promise<{ readonly event: LockEvent | null; readonly isDropped: boolean }> {
  const { events, oldestSeq } = await readEvents({ after: seq - 1, limit: 1 }, '', signal);
  const event = events[0]?.seq === seq ? events[0] : null;
  return { event, isDropped: event === null && seq < oldestSeq };
}

/**
 * The times of the nearest events up to a `seq`, and after it; null if none is near. Events about clients do not
 * count, because they are in no lane.
 */
export async function readNearest(
  seq: number,
  lock: string,
  signal: AbortSignal,
): Promise<{ before: RedisTime | null; after: RedisTime | null }> {
  const [before, after] = await Promise.all([
    readEvents({ before: seq + 1, limit: NEAR_EVENTS }, lock, signal),
    readEvents({ after: seq, limit: NEAR_EVENTS }, lock, signal),
  ]);
  const hasLane = (event: LockEvent) => !isOfClient(event);
  return { before: before.events.findLast(hasLane)?.at ?? null, after: after.events.find(hasLane)?.at ?? null };
}

function whole(at: RedisTime): string {
  return String(Math.max(0, Math.round(at)));
}
