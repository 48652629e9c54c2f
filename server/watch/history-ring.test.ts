import { describe, expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { denseRunsFromEvents } from '../../shared/spans/dense-runs.ts';
import { goldens } from '../../shared/testing/read-trace.ts';
import { eventsFromTrace } from '../../shared/testing/trace-file.ts';
import { HistoryRing } from './history-ring.ts';

/** Thousands of attempts of one waiter behind a dead head, as a real client made them. */
function hotLoop(): LockEvent[] {
  const golden = goldens().find(({ folder, name }) => folder === 'redisson-4.7.0' && name === 'fair-dead-head');
  return golden ? eventsFromTrace(golden.trace(), golden.isPushFirst) : [];
}

function ringOf(events: readonly LockEvent[]): HistoryRing {
  const ring = new HistoryRing();
  for (const event of events) ring.add(event);
  return ring;
}

/** A minute of a loop that never ends: as many events as memory has room for, had each the room of one. */
function endlessLoop(like: LockEvent, seq: number, count: number): LockEvent[] {
  return Array.from({ length: count }, (_, n) => {
    const at = redisTime(like.at + n * 100);
    return { ...like, seq: seq + n, at, attempt: n + 1 } as LockEvent; // an attempt, with other numbers
  });
}

describe('[F6] a hot loop', () => {
  const events = hotLoop();
  const ring = ringOf(events);

  test('is remembered attempt by attempt, as it was', () => {
    expect(events.length).toBeGreaterThan(7000);
    expect([...ring.all()]).toEqual(events);
    expect(ring.after(4000, 3)).toEqual(events.slice(4000, 4003));
    expect(ring.get(5000)).toEqual(events[4999]);
    expect(ring.find({ after: 100, limit: 50, type: 'lock.refused' })).toEqual(events.slice(100, 150));
  });

  test('is told by its ends to those who ask for that, and all else with it', () => {
    const { events: told, isCut } = ring.search({ limit: 100, dense: true });
    expect(isCut).toBe(false);
    expect(told.length).toBeLessThan(40);
    expect(denseRunsFromEvents(told)).toEqual(denseRunsFromEvents(events));
    expect(told.filter(({ type }) => type !== 'lock.refused')).toEqual(
      events.filter(({ type }) => type !== 'lock.refused'),
    );
  });

  test('is read page by page without a hole', () => {
    const { events: newest, isCut } = ring.search({ limit: 4, dense: true });
    expect(isCut).toBe(true);
    const { events: older } = ring.search({ limit: 100, dense: true, before: newest[0]?.seq });
    expect(denseRunsFromEvents([...older, ...newest])).toEqual(denseRunsFromEvents(events));
  });

  test('pushes nothing else out: it has an eighth of the room', () => {
    const [before] = events;
    const like = events.find((event) => event.type === 'lock.refused' && event.reason === 'not-head');
    if (!before || !like) throw new Error('no hot loop');
    const long = ringOf([before, ...endlessLoop(like, 2, 600_000)]);
    expect(long.get(1)).toEqual(before);
    expect(long.isCapped()).toBe(false);
    expect(long.get(400_000)).toMatchObject({ seq: 400_000, type: 'lock.refused', attempt: 399_999 });
  });
});

test('an event that is corrected later is found corrected, also in the midst of a run', () => {
  const ring = ringOf(hotLoop());
  const event = ring.get(3000);
  if (!event) throw new Error('no event');
  ring.amend({ ...event, group: 'g1' });
  expect(ring.get(3000)?.group).toBe('g1');
  expect(ring.find({ group: 'g1', limit: 5 })).toHaveLength(1);
  expect(ring.get(3001)?.group).toBeUndefined();
});
