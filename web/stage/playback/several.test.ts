import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { holderOf, seconds, story } from '../../../testing/stories/story.ts';
import { EN } from '../../words/en.ts';
import { ZH_CN } from '../../words/zh-CN.ts';
import { beatsFromEvents, type Storyboard } from '../beats/beats-from-events.ts';
import { captionText } from '../captions/caption.ts';
import { withReportedGroups } from '../script/reported-groups.ts';
import type { StageRun } from '../script/run.ts';
import { runWith, together } from '../testing/several.ts';
import { positionOf } from './position.ts';
import { stageAt } from './stage-at.ts';

const texts = ({ beats }: Storyboard) =>
  beats.flatMap(({ caption }) => {
    if (!caption) return [];
    expect(captionText(caption, EN).split(/\s+/).length, captionText(caption, EN)).toBeLessThanOrEqual(12);
    expect(captionText(caption, ZH_CN)).not.toMatch(/^$|undefined|NaN|\[object/);
    return [captionText(caption, EN)];
  });
const pictureWhen = (storyboard: Storyboard, words: string) => {
  const beat = storyboard.beats.find(({ caption }) => caption && captionText(caption, EN).includes(words));
  if (!beat) throw new Error(`no caption has ${words}: ${texts(storyboard).join(' | ')}`);
  return stageAt(storyboard, positionOf(beat));
};
const locksNamed = (...names: string[]) => names.map((name) => ({ name, source: null }));

const DEADLOCK = () =>
  beatsFromEvents(
    runWith(
      locksNamed('orders:42', 'stock:7'),
      together(
        {
          text: `
          orders:42 lease 6s
          0.000 A attempts acquired
          3.000 B attempts refused
          3.001 B subscribes
          3.002 B attempts refused
          5.000 A releases
          5.0004 B attempts acquired
          5.001 B unsubscribes
          6.000 B releases
        `,
        },
        {
          text: `
          stock:7 lease 6s
          1.000 B attempts acquired
          2.000 A attempts refused
          2.001 A subscribes
          2.002 A attempts refused
          4.000 A unsubscribes
          6.500 B releases
        `,
        },
      ),
    ),
  );

test('a circle is shown from when its last thread falls asleep until a waiter gives up', () => {
  const storyboard = DEADLOCK();
  expect(texts(storyboard)).toEqual([
    'A acquires orders:42.',
    'B acquires stock:7.',
    'A asks for stock:7: busy, lease left 5.0 s.',
    'A asks for stock:7 once more, then sleeps.',
    'B asks for orders:42: busy, lease left 3.0 s.',
    'Deadlock: each waits for the lock the other holds.',
    'A gives up after 2 seconds: the deadlock is over.',
    'A releases orders:42 and publishes one message.',
    'B wakes, asks again, gets it: 0.4 ms later.',
    'B releases orders:42.',
    'B releases stock:7.',
  ]);
  expect(pictureWhen(storyboard, 'once more').circle).toBeNull();
  expect(pictureWhen(storyboard, 'Deadlock').circle).toEqual([
    { holder: holderOf('A'), wants: 'stock:7', heldBy: holderOf('B') },
    { holder: holderOf('B'), wants: 'orders:42', heldBy: holderOf('A') },
  ]);
  expect(pictureWhen(storyboard, 'gives up').circle).toBeNull();
});

test('in a circle each card shows the locks held and the lock wanted', () => {
  const [a, b] = pictureWhen(DEADLOCK(), 'Deadlock').actors.map(({ threads }) => threads[0]);
  expect(a).toMatchObject({ doing: 'asleep', waitsFor: 'stock:7', holds: [{ lock: 'orders:42', count: 1 }] });
  expect(b).toMatchObject({ doing: 'asleep', waitsFor: 'orders:42', holds: [{ lock: 'stock:7', count: 1 }] });
});

test('a crowd is shown as numbers: waiters that slept, attempted again and acquired the lock', () => {
  const storyboard = beatsFromEvents(
    runWith(
      locksNamed('orders:42'),
      story(`
        orders:42 lease 6s
        0.000 A attempts acquired
        ${['A2', 'B', 'C'].map((who, n) => `0.${n}10 ${who} attempts refused\n0.${n}20 ${who} subscribes\n0.${n}30 ${who} attempts refused`).join('\n')}
        1.000 A releases
        1.001 B attempts acquired
        1.002 A2 attempts refused
        1.003 C attempts refused
        2.000 B releases
        2.001 C attempts acquired
        2.002 A2 attempts refused
        3.000 C releases
        3.001 A2 attempts acquired
        4.000 A2 releases
      `).filter(({ lock }) => lock === 'orders:42'),
    ),
  );
  const words = texts(storyboard);
  expect(words.filter((text) => text.includes('threads sleep'))).toEqual([
    '3 threads sleep now. A sleeping thread sends no commands.',
  ]);
  expect(words).toContain('B is first, 1.0 ms after the message.');
  expect(words.filter((text) => text.includes('woke for nothing'))).toEqual([
    'A2 woke for nothing: another was faster. It sleeps again.',
  ]);
  expect(words.filter((text) => text.includes('publishes'))).toEqual([
    'A publishes one message. 3 clients receive it.',
    'B publishes one message. 3 clients receive it.',
    'C publishes one message. 3 clients receive it.',
  ]);
  const last = storyboard.beats.at(-1);
  expect(last && stageAt(storyboard, positionOf(last)).tally?.rounds).toEqual([
    { asleep: 3, asked: 3, won: 1 },
    { asleep: 2, asked: 2, won: 1 },
    { asleep: 1, asked: 1, won: 1 },
  ]);
  expect(storyboard.beats.every(({ lens }) => lens === null)).toBe(true);
});

test('a multi lock is rolled back when a member is refused, then all members are acquired', () => {
  const call = (does: 'lock' | 'unlock', from: number) =>
    ({ client: 'A', thread: 1, does, from: seconds(from), until: seconds(from + 0.4) }) as const;
  const groupOperations = [call('lock', 1), call('lock', 3), call('unlock', 5)];
  const run = runWith(locksNamed('orders:42', 'stock:7', 'invoice:9'), [], { groupOperations });
  const storyboard = beatsFromEvents({
    ...run,
    events: withReportedGroups(
      run,
      together(
        {
          text: 'orders:42 lease 6s\n1.000 A attempts acquired\n1.003 A releases\n3.000 A attempts acquired\n5.000 A releases',
        },
        {
          text: 'stock:7 lease 6s\n0.000 B attempts acquired\n1.002 A attempts refused\n2.000 B releases\n3.002 A attempts acquired\n5.001 A releases',
        },
        { text: 'invoice:9 lease 6s\n3.004 A attempts acquired\n5.002 A releases' },
      ),
    ),
  });
  expect(texts(storyboard).slice(1, 4)).toEqual([
    'A acquires orders:42.',
    'stock:7 is busy: A cannot have all 3.',
    'A releases orders:42: all or nothing.',
  ]);
  const doingOfA = (words: string) =>
    pictureWhen(storyboard, words).actors.find(({ client }) => client === 'A')?.threads[0];
  expect(doingOfA('cannot have all')).toMatchObject({ doing: 'asks', waitsFor: 'stock:7' });
  expect(doingOfA('all or nothing')).toMatchObject({ doing: 'idle', waitsFor: null });
  const rolledBack = pictureWhen(storyboard, 'all or nothing').group;
  expect([rolledBack?.who, rolledBack?.end, [...(rolledBack?.members ?? [])]]).toEqual([
    'A',
    'rolled-back',
    [
      ['orders:42', 'rolled-back'],
      ['stock:7', 'refused'],
    ],
  ]);
  expect(texts(storyboard)).toContain('A acquires stock:7 as well: 2 of 3.');
  const all = pictureWhen(storyboard, 'it has all 3').group;
  expect([...(all?.members.values() ?? [])]).toEqual(['held', 'held', 'held']);
});

const SERVERS = [1, 2, 3].map((n) => ({ source: `redis-${n}`, name: `Redis ${n}` }));

test('if one of three servers is dead, a RedLock needs both living servers', () => {
  const storyboard = beatsFromEvents(
    runWith(
      SERVERS.map(({ source }) => ({ name: 'pay:7', source })),
      together(
        { text: 'pay:7 lease 6s\n1.000 A attempts acquired\n3.000 A releases', source: 'redis-1' },
        { text: 'pay:7 lease 6s\n1.002 B attempts acquired\n3.001 B releases', source: 'redis-3' },
      ),
      {
        servers: SERVERS,
        cast: [{ id: 'A', name: 'order-svc-1', uuids: ['A', 'B'].map((id) => holderOf(id).split(':')[0] ?? '') }],
        serverFaults: [{ at: seconds(0.5), source: 'redis-2', server: 'Redis 2', name: 'killed' }],
        clientReports: [
          { at: seconds(4), client: 'A', thread: 1, lock: 'pay:7', name: 'group-refused', have: 1, of: 3 },
        ],
      },
    ),
  );
  expect(texts(storyboard)).toEqual([
    'Redis 2 is killed. It no longer answers.',
    'A acquires pay:7 on Redis 1.',
    '2 of 3 servers said yes: a majority, A holds it.',
    'A releases pay:7 on Redis 1.',
    'A releases pay:7 on Redis 3.',
    'A counts 1 of 3 servers: no majority. It gives up.',
  ]);
  const { locks, group, actors } = pictureWhen(storyboard, 'a majority');
  expect(locks.map(({ server, isDown, holders }) => [server, isDown, holders.length])).toEqual([
    ['Redis 1', false, 1],
    ['Redis 2', true, 0],
    ['Redis 3', false, 1],
  ]);
  expect([...(group?.members.keys() ?? [])]).toEqual(['redis-1/pay:7', 'redis-3/pay:7']);
  expect(actors[0]?.threads[0]?.holds.map(({ lock }) => lock)).toEqual(['Redis 1', 'Redis 3']);
});

test('a member whose event arrived early, but has a later time, joins the group at that time', () => {
  const events = together(
    { text: 'pay:7 lease 6s\n1.000 A attempts acquired\n3.000 A releases', source: 'redis-1' },
    { text: 'pay:7 lease 6s\n1.002 B attempts acquired\n3.001 B releases', source: 'redis-3' },
  );
  const [first, second, ...rest] = events;
  if (!first || !second?.groupSeqs) throw new Error('the second names the first');
  // in reverse order: the later event arrived first, and the earlier one names it
  const { group, groupSeqs: _, ...sooner } = second;
  const swapped = [{ ...first, seq: 2, group, groupSeqs: [1] }, { ...sooner, seq: 1 }, ...rest] as typeof events;
  const storyboard = beatsFromEvents(
    runWith(
      SERVERS.map(({ source }) => ({ name: 'pay:7', source })),
      swapped,
      {
        servers: SERVERS,
        cast: [{ id: 'A', name: 'order-svc-1', uuids: ['A', 'B'].map((id) => holderOf(id).split(':')[0] ?? '') }],
      },
    ),
  );
  expect(texts(storyboard).slice(0, 2)).toEqual([
    'A acquires pay:7 on Redis 1.',
    '2 of 3 servers said yes: a majority, A holds it.',
  ]);
});

test('a thread that waits for a lock in its client’s memory, which it holds itself, is shown as stuck', () => {
  const report = (at: number, name: StageRun['clientReports'][number]['name'], waitedMs?: number) => ({
    ...{ at: seconds(at), client: 'A', thread: 1, lock: 'plainLock', name },
    ...(waitedMs !== undefined && { waitedMs }),
  });
  const storyboard = beatsFromEvents(
    runWith(locksNamed('orders:42'), [], {
      localLocks: [{ client: 'A', name: 'plainLock' }],
      clientReports: [
        report(1, 'local-taken'),
        report(2, 'local-waits'),
        report(4, 'local-gave-up', 2000),
        report(5, 'local-waits'),
        report(9, 'local-let-go', 4000),
        report(10, 'local-freed'),
      ],
    }),
  );
  expect(texts(storyboard)).toHaveLength(6);
  const withB = { ...storyboard.run, events: story('orders:42 lease 6s\n6.000 B attempts acquired\n7.000 B releases') };
  expect(texts(beatsFromEvents(withB))).toContain('B releases orders:42.');
  expect(texts(beatsFromEvents({ ...withB, clientReports: [] })).at(-1)).toMatch(/^Released\. No thread is waiting/);
  const waits = stageAt(storyboard, { ...positionOf(storyboard.beats[1]!), at: redisTime(seconds(3)) });
  expect(waits.locals).toEqual([{ client: 'A', name: 'plainLock', takenBy: 1, isOwn: true, waitsMs: 1000 }]);
  expect(waits.actors[0]?.threads[0]).toMatchObject({ doing: 'stuck', waitsFor: 'plainLock' });
  expect(waits.locks[0]?.holders).toEqual([]);
});
