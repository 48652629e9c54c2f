import { expect } from 'vitest';
import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { CannotTell, Report } from '../../../shared/insights/insight.ts';
import { everyGolden } from '../../../testing/goldens/seen-insights.ts';
import { EventStore } from '../store/event-store.ts';

const SECOND = 1_000_000;
/** Long enough for the longest wait of a detector to end after the last event of a trace. */
const AFTER_MS = 12_000;

type Sources = Parameters<EventStore['sourcesChanged']>[0];

/** The sources of these events, watched at a level. */
function sourcesOf(events: readonly LockEvent[], level: string): Sources {
  const ids = [...new Set(events.map(({ source }) => source))];
  return ids.map((id) => ({
    id,
    level,
    status: 'observing',
    unseen: [],
    keyEvents: 'notifications',
  })) as unknown as Sources; // the code under test reads only these fields
}

/** A report whose list `cannotTell` is in a fixed order. */
function comparable({ insights, more, cannotTell, failed }: Report) {
  const key = ({ incident, source, reason, locks }: CannotTell) => `${incident} ${source} ${reason} ${locks}`;
  return { insights, more, cannotTell: cannotTell.map(key).sort(), failed };
}

/**
 * Lets the detectors look at each second of these events, and compares each look with a look at everything. The level
 * is `monitor`, and `events` in the third quarter of the time. Returns how many insights were found, counted at each
 * second.
 */
export async function compareLooks(events: readonly LockEvent[]): Promise<number> {
  const times = events.map(({ at }) => at);
  const [first, last] = [Math.min(...times), plusMillis(redisTime(Math.max(...times)), AFTER_MS)];
  let now: RedisTime = redisTime(first);
  const store = new EventStore(() => now);
  store.sourcesChanged(sourcesOf(events, 'monitor'));
  let left = [...events];
  let found = 0;
  for (let at = redisTime(Math.floor(first / SECOND) * SECOND + SECOND); at < last; at = redisTime(at + SECOND)) {
    const part = left.filter((event) => event.at < at);
    left = left.filter((event) => event.at >= at);
    now = at;
    for (const events of store.withoutFacts(part)) {
      const from = store.history.nextSeq();
      store.add(events.map((event, n) => ({ ...event, seq: from + n })));
    }
    const quarter = Math.floor((4 * (at - first)) / (last - first));
    store.sourcesChanged(sourcesOf(events, quarter === 2 ? 'events' : 'monitor'));
    const whole = await store.answers.insights({ isFresh: true });
    for (const _ of store.look(at));
    const looked = await store.answers.insights({});
    expect(comparable(looked), `at ${(at - first) / SECOND} s`).toEqual(comparable(whole));
    found += looked.insights.length;
  }
  return found;
}

/** As `compareLooks`, for every trace that is wanted. */
export async function compareLooksAtTraces(isWanted: (name: string) => boolean): Promise<number> {
  let found = 0;
  for (const { name, events: read } of everyGolden()) {
    const events = isWanted(name) ? read() : [];
    if (events.length === 0) continue;
    try {
      found += await compareLooks(events);
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
  return found;
}
