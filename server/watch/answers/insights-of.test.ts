import { expect, test } from 'vitest';
import { plusMillis } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { DETECTORS } from '../../../shared/insights/detectors/all.ts';
import { merged, reportAt } from '../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story, waitsAt } from '../../../testing/stories/story.ts';
import { HistoryRing } from '../history/history-ring.ts';
import { inSlices } from '../slices/in-slices.ts';
import { EventStore } from '../store/event-store.ts';
import { sharesOf } from '../terms/memory-shares.ts';
import { isWanted, wantedEventsAt } from './insights-of.ts';

const [GRANT] = story('slots lease 30s\n 0 A attempts acquired');

/**
 * Events of a semaphore that was set to 2 permits: more permits were released than acquired. No client holds one or
 * waits.
 */
function surplus(): LockEvent[] {
  const reported = [
    { type: 'permits.set', available: 2, total: 2 },
    { type: 'permits.released', permits: 1, available: 3, total: 3, raisedBy: 1 },
  ];
  return reported.map((detail, n) => {
    const { source, db, lock, certainty } = GRANT ?? {};
    const own = { source, db, lock, certainty, kind: 'semaphore', seq: n + 1, at: seconds(n + 1), raw: [] };
    return { ...own, ...detail } as unknown as LockEvent; // the fields that these types have
  });
}

test('the problems at an instant are those of the live list at that instant, which lists a starved watchdog once', async () => {
  const frozen = story(`job lease 6s
    0  A attempts acquired
    1  - lists A
    2  A renews
    8  - hears expired
    9  A renewal refused`);
  let now = seconds(0);
  const store = new EventStore(() => now);
  const source = { id: 'story', level: 'monitor', status: 'observing', unseen: [], keyEvents: 'notifications' };
  store.sourcesChanged([source] as unknown as Parameters<typeof store.sourcesChanged>[0]); // the code under test reads only these fields
  now = seconds(10);
  store.add(frozen);
  const ids = async (at?: number) =>
    (await store.answers.insights(at === undefined ? {} : { at: seconds(at) })).insights.map(({ id }) => id);
  const live = await ids();
  expect(live.filter((id) => id.startsWith('watchdog-starved'))).toHaveLength(1);
  expect(await ids(10)).toEqual(live);
});

test('a circle over two sources is found by the source, database and name of each of its locks', () => {
  const held = (lock: string, holder: string, waiter: string) =>
    story(`${lock} lease 30s\n 0.000 ${holder} attempts acquired\n${waitsAt(waiter, 1)}`);
  const elsewhere = held('y', 'B', 'A').map((event) => ({ ...event, source: 'other', db: 3 }));
  const { insights } = reportAt(merged(held('x', 'A', 'B'), elsewhere), seconds(6));
  const [circle] = insights.filter(({ incident }) => incident === 'abba-deadlock');
  if (!circle) throw new Error('no circle');
  const here = { source: circle.source === 'other' ? (GRANT?.source ?? '') : circle.source, db: 0, lock: 'x' };
  const there = { source: 'other', db: 3, lock: 'y' };
  for (const { source, db, lock } of [here, there])
    for (const query of [{ source }, { db }, { lock }, { source, db, lock }])
      expect([query, isWanted(circle, query)]).toEqual([query, true]);
  // all of a query has to match the same lock
  for (const query of [{ source: 'third' }, { db: 1 }, { source: 'other', db: 0 }, { ...here, lock: 'y' }])
    expect([query, isWanted(circle, query)]).toEqual([query, false]);
});

/** 2500 refused attempts of one connection within 1.25 s, each by another thread. */
function refusals(): LockEvent[] {
  const { source, db, certainty } = GRANT ?? {};
  return Array.from({ length: 2500 }, (_, n) => {
    const attempt = {
      type: 'lock.refused',
      holder: `a:${n}`,
      mode: 'exclusive',
      attempt: 1,
      asleep: false,
      reason: 'held',
    };
    const own = { source, db, certainty, lock: 'door', kind: 'lock', seq: n + 3, at: seconds(7 + n / 2000), raw: [] };
    return { ...own, ...attempt, by: 'app:1', ttlMs: null } as unknown as LockEvent; // the fields that these events have
  });
}

test('a lock without holders and waiters is still examined: surplus permits and a flood of attempts are found', async () => {
  let now = seconds(0);
  const store = new EventStore(() => now);
  const source = { id: 'story', level: 'monitor', status: 'observing', unseen: [], keyEvents: 'notifications' };
  store.sourcesChanged([source] as unknown as Parameters<typeof store.sourcesChanged>[0]); // the code under test reads only these fields
  now = seconds(10);
  store.add([...surplus(), ...refusals()]);
  const { insights } = await store.answers.insights({});
  expect(insights.map(({ incident, lock }) => [incident, lock])).toEqual([
    ['semaphore-permit-drift', 'slots'],
    ['attempt-flood', 'door'],
  ]);
});

test('if connections listen for a semaphore without free permits, it is unknown whether threads waited long for it', async () => {
  const store = new EventStore(() => seconds(5));
  const source = { id: 'story', level: 'monitor', status: 'observing', unseen: [], keyEvents: 'notifications' };
  store.sourcesChanged([source] as unknown as Parameters<typeof store.sourcesChanged>[0]); // the code under test reads only these fields
  const unknown = async () =>
    (await store.answers.insights({ isFresh: true })).cannotTell.map(({ incident }) => incident);
  const { source: of, db } = GRANT ?? {};
  const read = [
    { type: 'waiter.subscribed', channel: 'redisson_sc:{slots}', subscribers: 1 },
    { type: 'permits.set', available: 0, total: null, isFound: true },
  ].map((detail, n) => ({
    ...{ source: of, db, lock: 'slots', certainty: 'inferred', kind: 'semaphore', seq: n + 1, at: seconds(4), raw: [] },
    ...detail,
  }));
  expect(await unknown()).not.toContain('threads-waited-long');
  store.add(read as unknown as LockEvent[]); // the fields that these types have
  expect(await unknown()).toContain('threads-waited-long');
});

test('a fresh answer includes what became known since the last pass of the detectors', async () => {
  const store = new EventStore(() => seconds(1));
  const source = { id: 'story', level: 'monitor', status: 'observing', keyEvents: 'notifications' };
  const see = (unseen: unknown) =>
    store.sourcesChanged([{ ...source, unseen }] as unknown as Parameters<typeof store.sourcesChanged>[0]); // the code under test reads only these fields
  const reasons = async (query: { isFresh?: true }) =>
    new Set((await store.answers.insights(query)).cannotTell.map(({ reason }) => reason));
  see([{ code: 'unseen-before-scan', values: { percent: 0 } }]);
  for (const _ of store.look(seconds(1)));
  see([]);
  expect(await reasons({})).toContain('locks');
  expect(await reasons({ isFresh: true })).not.toContain('locks');
});

const LOSS = story(`orders:42 lease 30s
  0 A attempts acquired
  1 operator command DEL orders:42
  2 B attempts acquired
  3 B releases
  5 A unlock refused`);
const [TAKEN, FREED] = story('orders:42 lease 30s\n 6 D attempts acquired\n 6.005 D releases');

/** After a loss, another thread takes the lock 100 times a second. */
function lossAndTurns(turns: number): LockEvent[] {
  const later = Array.from({ length: turns }, (_, n) =>
    [TAKEN, FREED].flatMap((event) => (event ? [{ ...event, at: plusMillis(event.at, n * 10) }] : [])),
  );
  return [...LOSS, ...later.flat()].map((event, index) => ({ ...event, seq: index + 1 }));
}

const isOfLoss = ({ incident }: { incident: string }) => incident === 'operator-delete-or-flush';

test('at a past instant of a busy lock, a loss shows which thread acquired the lock next', async () => {
  const history = new HistoryRing(100_000_000);
  for (const event of lossAndTurns(10_500)) history.add(event); // 21,000 events beside the loss
  for (const second of [2.5, 4, 60, 110]) {
    const { events, dropped } = await inSlices(wantedEventsAt(history.remembered(), seconds(second)));
    const { insights } = reportAt(events, seconds(second), {
      detectors: DETECTORS,
      ...(dropped ? { dropped } : {}),
    });
    expect(insights.filter(isOfLoss)).toMatchObject([
      { values: { takenBy: holderOf('B') }, to: second < 5 ? null : seconds(5.000_001) },
    ]);
    expect(dropped === undefined).toBe(second < 110);
  }
});

test('whether a lock was lost is unknown at an instant if the events that would show it are no longer in memory', async () => {
  let now = seconds(-100);
  const store = new EventStore(() => now, { ...sharesOf(), historyBytes: 30_000 });
  const source = { id: 'story', level: 'monitor', status: 'observing', unseen: [], keyEvents: 'notifications' };
  store.sourcesChanged([source] as unknown as Parameters<typeof store.sourcesChanged>[0]); // the code under test reads only these fields
  now = seconds(20);
  store.add(lossAndTurns(1000));
  const oldest = store.history.oldestAt ?? seconds(0);
  expect(oldest).toBeGreaterThan(seconds(6));
  const { insights, cannotTell } = await store.answers.insights({ at: plusMillis(oldest, 1000) });
  expect(insights.filter(isOfLoss)).toEqual([]);
  expect(cannotTell.filter(isOfLoss)).toMatchObject([{ source: 'story', reason: 'memory', locks: 0 }]);
  expect(cannotTell).not.toContainEqual(expect.objectContaining({ incident: 'no-ttl-lock', reason: 'memory' }));

  // a later moment in which the source was not watched changes nothing
  const gap = [
    { type: 'blind-spot.began', reason: 'connection-lost', at: seconds(20) },
    { type: 'blind-spot.ended', reason: 'watching-again', at: seconds(21), from: seconds(20) },
  ];
  const about = { source: 'story', db: 0, lock: '', kind: 'lock', certainty: 'observed' };
  const seq = store.history.nextSeq();
  store.add(gap.map((event, n) => ({ ...about, ...event, seq: seq + n }) as unknown as LockEvent));
  const after = await store.answers.insights({ at: seconds(22) });
  expect(after.cannotTell.filter(isOfLoss)).toMatchObject([{ source: 'story', reason: 'memory' }]);
});
