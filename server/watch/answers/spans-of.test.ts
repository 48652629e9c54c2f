import { describe, expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { holdsFromEvents } from '../../../shared/spans/holds-from-events.ts';
import { waitsFromEvents } from '../../../shared/spans/waits-from-events.ts';
import { lockIdOf } from '../../../shared/state/lock-state.ts';
import { World } from '../../../shared/state/world.ts';
import { goldensOfNewest } from '../../../testing/traces/read-trace.ts';
import { eventsFromTrace } from '../../../testing/traces/trace-file.ts';
import { HistoryRing } from '../history/history-ring.ts';
import { inSlices } from '../slices/in-slices.ts';
import { spansOf } from './spans-of.ts';

const MB = 1024 * 1024;

function ringOf(events: readonly LockEvent[]): HistoryRing {
  const ring = new HistoryRing(64 * MB);
  for (const event of events) ring.add(event);
  return ring;
}

/** `from..to` of all holds and waits, each lock's events read as one list. */
function spansOfLists(events: readonly LockEvent[]): string[] {
  const lists = new Map<string, LockEvent[]>();
  for (const event of events) {
    if (event.type === 'blind-spot.began') for (const list of lists.values()) list.push(event);
    if (isOfSource(event)) continue;
    const id = lockIdOf(event);
    lists.set(id, [...(lists.get(id) ?? []), event]);
  }
  const spans = [...lists.values()].flatMap((list) => [...holdsFromEvents(list), ...waitsFromEvents(list)]);
  return spans.map(({ fromSeq, toSeq, holder, ended }) => `${fromSeq}–${toSeq} ${holder} ${ended}`).sort();
}

describe('holds and waits read event by event equal those read from whole lists', () => {
  const traces = goldensOfNewest().filter(({ name }) => !name.includes('dead-head'));
  test.each(traces.map((golden) => [`${golden.folder}/${golden.name}`, golden] as const))('%s', async (_, golden) => {
    const events = eventsFromTrace(golden.trace(), golden.isPushFirst);
    const { spans, truncated } = await inSlices(spansOf(ringOf(events).remembered(), {}));
    const reported = spans.map(({ fromSeq, toSeq, holder, ended }) => `${fromSeq}–${toSeq} ${holder} ${ended}`).sort();
    expect(reported).toEqual(spansOfLists(events));
    expect(truncated).toBe(false);
  });
});

test('if there are more than 10,000 spans, the newest 10,000 are returned', async () => {
  const events = Array.from({ length: 30_000 }, (_, n): LockEvent => {
    const at = redisTime(1_795_000_000_000_000 + n * 100);
    const place = { seq: n + 1, at, source: 'redis', db: 0, lock: `once:${n >> 1}`, kind: 'lock' } as const;
    const by = { ...place, certainty: 'observed', holder: 'a:1', mode: 'exclusive' } as const;
    return n % 2 === 0
      ? { ...by, type: 'lock.acquired', holdCount: 1, leaseMs: 30_000 }
      : { ...by, type: 'lock.released', holdCount: 0 };
  });
  const { spans, truncated } = await inSlices(spansOf(ringOf(events).remembered(), {}));
  expect(truncated).toBe(true);
  expect(spans).toHaveLength(10_000);
  expect(spans[0]).toMatchObject({ lock: 'once:5000', ended: 'released' });
});

test('the newest 10,000 spans are found in less than 75 % of the blocks of memory', () => {
  const world = new World();
  const ring = new HistoryRing(64 * MB, () => ({ locks: [...world.busy()], blind: [] }));
  const place = { source: 'redis', db: 0, kind: 'lock', certainty: 'observed', mode: 'exclusive' } as const;
  for (let seq = 1; seq <= 120_001; seq++) {
    const at = redisTime(1_795_000_000_000_000 + seq * 100);
    const lock = seq === 1 ? 'held' : `once:${seq >> 1}`;
    const base = { ...place, seq, at, lock, holder: `a:${seq >> 1}` } as const;
    const event: LockEvent =
      seq === 1 || seq % 2 === 0
        ? { ...base, type: 'lock.acquired', holdCount: 1, leaseMs: 30_000 }
        : { ...base, type: 'lock.released', holdCount: 0 };
    ring.add(event, world.get(lockIdOf(event)));
    world.apply(event);
  }
  const memory = ring.remembered();
  const work = spansOf(memory, {});
  let yields = 0;
  let step = work.next();
  for (; !step.done; step = work.next()) yields++;
  const { spans, truncated } = step.value;
  expect(truncated).toBe(true);
  expect(spans.map(({ lock }) => lock)).toEqual(Array.from({ length: 10_000 }, (_, n) => `once:${50_001 + n}`));
  expect(yields).toBeGreaterThan(60_000 / 256);
  expect(yields).toBeLessThan(memory.blocks.length * 0.75);
});

test('the computation stops if the client no longer waits for the answer', async () => {
  const client = new AbortController();
  const work = inSlices(
    (function* endless() {
      for (;;) yield;
    })(),
    client.signal,
  );
  client.abort();
  await expect(work).rejects.toThrow();
});
