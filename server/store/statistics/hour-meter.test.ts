import { expect, test } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { merged } from '../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story, waitsAt } from '../../../testing/stories/story.ts';
import { makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import { waitCostsOf } from '../../watch/answers/wait-costs-of.ts';
import { inSlices } from '../../watch/slices/in-slices.ts';
import { EventStore } from '../../watch/store/event-store.ts';
import { HourMeter } from './hour-meter.ts';
import { type HourRows, hourOf } from './hour-rows.ts';

/** A has x and waits for C's hold of y from 30 s to 75 s; B and D wait for x. */
const EVENTS = merged(
  story(`x lease 300s\n 0.000 A attempts acquired\n${waitsAt('B', 10)}\n${waitsAt('D', 20)}
  90.000 A releases\n 92.000 B attempts acquired`),
  story(
    `y lease 300s\n 0.000 C attempts acquired\n${waitsAt('A', 30)}\n 70.000 C releases\n 75.000 A attempts acquired`,
  ),
);

/** The events of the story, moved to later times. */
const shifted = (micros: number) => EVENTS.map((event) => ({ ...event, at: event.at + micros }) as LockEvent); // the same events

/** What the meter counts if it is asked after every event, or only at the end. */
function counted(events: readonly LockEvent[], isOften: boolean): HourRows[] {
  const meter = new HourMeter();
  const rows: HourRows[] = [];
  for (const event of events) {
    meter.take(event);
    if (isOften) rows.push(...meter.due());
  }
  return [...rows, ...meter.rest()];
}

/** Sums over all hours. */
function sumsOf(rows: readonly HourRows[]) {
  const add = (sums: Record<string, number>, name: string, value: number) => {
    sums[name] = (sums[name] ?? 0) + value;
  };
  const sums: Record<string, number> = {};
  for (const { locks, clients, holds } of rows) {
    for (const { lock, holds: count, held, waits: begun, waited, lost } of locks) {
      for (const [name, value] of Object.entries({ holds: count, held, waits: begun, waited, lost }))
        add(sums, `${lock} ${name}`, value);
    }
    for (const { client, waited, lost } of clients) {
      add(sums, `${client} waited`, waited);
      add(sums, `${client} lost`, lost);
    }
    for (const { lock, seq, lost } of holds) add(sums, `${lock} hold ${seq}`, lost);
  }
  // the lines of a story are some µs apart
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, rounded(name, sum)]));
}

const rounded = (name: string, sum: number) => (/(holds|waits)$/.test(name) ? sum : Math.round(sum / 1000) * 1000);

test('the sums of a short example are exact: times of holds and waits, and the cost of each hold for others', () => {
  const sums = sumsOf(counted(EVENTS, false));
  expect(sums).toMatchObject({
    ...{ 'x holds': 1, 'x held': 90_000_000, 'y holds': 2, 'y held': 70_000_000 + 17_000_000 },
    ...{ 'x waits': 2, 'x waited': 82_000_000 + 72_000_000, 'y waits': 1, 'y waited': 45_000_000 },
    // B and D waited for A's hold of x, but for C's hold of y while A waited for that. From 70 s to 75 s, and from
    // 90 s on, no hold delayed them.
    ...{ 'y lost': 3 * 40_000_000, 'x lost': 35_000_000 + 25_000_000 },
  });
  const client = (letter: string) => holderOf(letter).split(':')[0] ?? '';
  expect(sums[`${client('C')} lost`]).toBe(120_000_000);
  expect(sums[`${client('A')} waited`]).toBe(45_000_000);
});

test.each([
  ['in one hour', 0],
  ['across the end of an hour', 3_550_000_000],
] as const)('events %s have the same sums, whether counted after each event or at the end', (_, shift) => {
  const begin = seconds(0) - (seconds(0) % 3_600_000_000);
  const events = shifted(shift === 0 ? 0 : begin + shift - seconds(0));
  const [often, once] = [counted(events, true), counted(events, false)];
  expect(often.length).toBeGreaterThan(4);
  expect(new Set(often.flatMap(({ locks }) => locks.map(({ hour }) => hour))).size).toBe(shift === 0 ? 1 : 2);
  expect(sumsOf(often)).toEqual(sumsOf(once));
  expect(sumsOf(often)).toEqual(sumsOf(counted(EVENTS, false)));
});

test('the sums are those of the answer from memory', async () => {
  const store = new EventStore(() => seconds(92));
  store.add(EVENTS);
  const memory = await inSlices(waitCostsOf(store.history.remembered(), { from: seconds(0), to: seconds(92) }));
  const sums = sumsOf(counted(EVENTS, true));
  for (const [id, { waited, caused }] of memory.ranking.locks) {
    const lock = id.slice(id.lastIndexOf('/') + 1);
    expect([sums[`${lock} waited`], sums[`${lock} lost`]]).toEqual([waited, caused].map((sum) => rounded('', sum)));
  }
  for (const [{ fromSeq }, { lock, micros }] of memory.ranking.holds)
    expect(sums[`${lock.slice(lock.lastIndexOf('/') + 1)} hold ${fromSeq}`]).toBe(rounded('', micros));
});

test('no further time is counted for a lock that was dropped from memory', () => {
  const meter = new HourMeter();
  for (const event of EVENTS.filter(({ at }) => at < seconds(40))) meter.take(event);
  meter.passTo(seconds(40));
  meter.takeLines(`${JSON.stringify({ gone: ['story/0/x', 'story/0/y'] })}\n`);
  meter.passTo(seconds(500));
  expect(sumsOf(meter.rest())).toMatchObject({ 'x waited': 50_000_000, 'y waited': 10_000_000, 'x held': 40_000_000 });
});

test('a wait is counted by its length in the hour in which it ended', () => {
  const rows = counted(EVENTS, true);
  const lengths = rows.flatMap(({ locks }) => locks.filter(({ lock }) => lock === 'x').map((lock) => lock.lengths));
  const sum = [0, 1, 2, 3, 4, 5].map((n) => lengths.reduce((all, each) => all + (each[n] ?? 0), 0));
  expect(sum).toEqual([0, 0, 0, 0, 1, 0]);
  expect(hourOf(seconds(0))).toBe(rows[0]?.locks[0]?.hour);
});

test('a wait whose beginning was not seen is left out of the counts by length', () => {
  const events = story(`x lease 30s
    0.000   redis snapshot A×1 20000
    5.000   B attempts refused
    20.002  B attempts refused
    21.000  A releases
    21.001  B attempts acquired`);
  const locks = counted(events, true).flatMap((rows) => rows.locks);
  expect(locks.reduce((sum, { waits }) => sum + waits, 0)).toBe(1);
  expect(locks.flatMap(({ lengths }) => lengths.filter((count) => count > 0))).toEqual([]);
});

test('a wait that began unseen counts as such for its lock and for the lock whose hold it was spent on', () => {
  const events = merged(
    story(`x lease 300s\n 0.000 A attempts acquired\n${waitsAt('B', 30)}\n 90.000 A releases`),
    story(`y lease 300s\n 0.000 C attempts acquired\n${waitsAt('A', 10)}\n 70.000 C releases`),
  );
  const openStarts = (isOften: boolean, isOlder: (attempt: number) => boolean) => {
    const older = events.map((event) => {
      const isOfB = event.type === 'lock.refused' && event.holder === holderOf('B');
      return (isOfB && isOlder(event.attempt) ? { ...event, isOlder: true } : event) as LockEvent; // the same event
    });
    const sums: Record<string, number> = {};
    for (const { locks } of counted(older, isOften))
      for (const { lock, openStarts: count } of locks) sums[lock] = (sums[lock] ?? 0) + count;
    return sums;
  };
  for (const isOften of [true, false]) {
    expect(openStarts(isOften, () => false)).toEqual({ x: 0, y: 0 });
    // B waits for A's hold of x, and so for C's hold of y, for which A waits
    expect(openStarts(isOften, () => true)).toEqual({ x: 1, y: 1 });
  }
});

test('a hold that began unseen counts as such once, however often it is counted', () => {
  const held = (begin: string) => story(`x lease 300s\n ${begin}\n${waitsAt('B', 30)}\n 90.000 A releases`);
  const openStarts = (begin: string, isOften: boolean) =>
    counted(held(begin), isOften)
      .flatMap(({ locks }) => locks)
      .reduce((sum, lock) => sum + lock.openStarts, 0);
  for (const isOften of [true, false]) {
    expect(openStarts('0.000 A attempts acquired', isOften)).toBe(0);
    expect(openStarts('0.000 redis snapshot A×1 300000', isOften)).toBe(1);
  }
});

test('for each hour, the time in which a server was watched is counted, and the part that showed waits', () => {
  const begin = seconds(0) - (seconds(0) % 3_600_000_000);
  const minute = (n: number) => begin + n * 60_000_000;
  const about = { source: 'redis', db: 0, lock: '', kind: 'lock', certainty: 'observed', seq: 1 } as const;
  const [source] = makeMemoryObservatory().sources();
  const server = (level: string, status = 'observing') => [{ ...source, id: 'redis', status, level }];
  const meter = new HourMeter();
  const line = (value: object) => meter.takeLines(`${JSON.stringify(value)}\n`);
  line({ at: minute(0), sources: server('events', 'connecting') });
  line({ at: minute(5), sources: server('events') });
  line({ at: minute(25), sources: server('monitor') });
  line({ ...about, at: minute(40), type: 'blind-spot.began', reason: 'connection-lost' });
  line({ ...about, at: minute(50), type: 'blind-spot.ended', reason: 'watching-again', from: minute(40) });
  meter.passTo(minute(70));
  const watched = meter.rest().flatMap((rows) => rows.watched);
  const inMinutes = watched.map((row) => [row.hour, row.watched / 60_000_000, row.waitsSeen / 60_000_000]);
  expect(inMinutes).toEqual([
    [hourOf(begin), 45, 25],
    [hourOf(begin) + 1, 10, 10],
  ]);
  expect(watched.map((row) => row.server)).toEqual(['redis', 'redis']);
});
