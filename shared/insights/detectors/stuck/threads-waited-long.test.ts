import { describe, expect, test } from 'vitest';
import { merged, reportAt, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { eventsFromSignals, holderOf, seconds, signalsFromStory, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';
import type { KeyRead } from '../../../signals/signal.ts';
import { ENGLISH } from '../../english.ts';
import type { Insight } from '../../insight.ts';
import { lockIdsIn } from '../../lock-ids-in.ts';
import { textsOf } from '../../words.ts';

const events = (text: string) => story(`orders:42 lease 30s\n${text}`);
const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('threads-waited-long', events(text), seconds(at), watching);

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');
/** A thread sleeps, and tries again each time its timer ends: 30 s after the newest renewal, which comes every 10 s. */
function waits(who: string, from: number, to: number): string {
  const tries = [`${from}.000 ${who} attempts refused`, `${from}.001 ${who} subscribes`];
  for (let at = from; at < to; at = Math.floor(at / 10) * 10 + 30) tries.push(`${at}.002 ${who} attempts refused`);
  return tries.join('\n');
}
const renews = (who: string, from: number, to: number) =>
  lines(Math.floor((to - from) / 10), (n) => `${from + 10 * (n + 1)}.000 ${who} renews`);
/** In the order of time, as a story is read. */
const inOrder = (...parts: string[]) =>
  parts
    .join('\n')
    .split('\n')
    .sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b))
    .join('\n');

/** Six holds of 0.2 s, then one that is never unlocked. */
const SHORT_HOLDS = lines(6, (n) => `${n}.000 C attempts acquired\n${n}.200 C releases`);
const FORGOTTEN = inOrder(SHORT_HOLDS, '10.000 A attempts acquired', renews('A', 10, 400), waits('B', 11, 400));

describe('threads-waited-long', () => {
  test('fires after a minute if the holds of the lock are short', () => {
    expect(verdict(FORGOTTEN, 70)).toEqual([]);
    expect(verdict(FORGOTTEN, 72)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'certain', effect: 'stuck', holders: [holderOf('A')], to: null },
        ...{ from: seconds(71.000_003), selfHealsAt: null },
        values: { waiting: 1, isAtLeast: false, isRenewed: true, usualMs: 200, holds: 6, areListeners: false },
      },
    ]);
    const later = verdict(FORGOTTEN, 320);
    expect(later).toMatchObject([{ severity: 'critical', from: seconds(71.000_003) }]);
    expect(later[0]).not.toHaveProperty('isAtLeast');
  });

  test('without a known hold, fires after two leases, as a warning', () => {
    const older = inOrder('0.000 A attempts acquired', renews('A', 0, 400), waits('B', 1, 400));
    expect(verdict(older, 60)).toEqual([]);
    expect(verdict(older, 399)).toMatchObject([
      { severity: 'warning', confidence: 'likely', values: { usualMs: null } },
    ]);
  });

  test('does not count a thread that only subscribed, or that slept beyond its own timer: it may no longer wait', () => {
    const held = ['0.000 A attempts acquired', renews('A', 0, 400)];
    expect(verdict(inOrder(...held, '1.000 B attempts refused', '1.001 B subscribes'), 200)).toEqual([]);
    expect(verdict(inOrder(...held, waits('B', 1, 60)), 200)).toEqual([]);
    expect(verdict(inOrder(...held, waits('B', 1, 60), waits('C', 2, 400)), 200)).toMatchObject([
      { values: { waiting: 1 } },
    ]);
  });

  test('does not report when the hold ends if another process extends its lease again and again', () => {
    const kept = [10, 30, 50, 70].map((at) => `${at}.000 cron command PEXPIRE orders:42 30000`);
    const found = verdict(inOrder('0.000 - snapshot A×1 20000ms 1', ...kept), 75);
    expect(found).toMatchObject([{ selfHealsAt: null }]);
  });

  test('cannot know in the first 30 s how long threads have waited for a semaphore or a latch, if they listened before watching began', () => {
    const read = (channel: string, companions: NonNullable<KeyRead['companions']>, subscribers: number) => {
      const key = { db: 0, name: 'gate', type: 'string', fields: {}, pttl: -1, hasChanged: false } as const;
      const signals = signalsFromStory('gate lease 30s\n 0 redis loses sight\n 1 redis sees again');
      const reads = [{ ...key, channel, companions, subscribers }];
      return eventsFromSignals([...signals, { kind: 'bookmark', at: seconds(1.1), reads }]);
    };
    const at = (time: number, found: readonly LockEvent[]) => verdictAt('threads-waited-long', found, seconds(time));
    const shut = read('redisson_sc:{gate}', { permits: ['0'] }, 3);
    const latch = read('redisson_countdownlatch__channel__{gate}', { count: ['2'] }, 3);
    for (const found of [shut, latch]) {
      expect(at(4, found)).toBe('cannot know: blind-spot');
      expect(at(32, found)).toEqual([]);
    }
    expect(at(4, read('redisson_sc:{gate}', { permits: ['1'] }, 3))).toEqual([]);
    expect(at(4, read('redisson_sc:{gate}', { permits: ['0'] }, 0))).toEqual([]);
  });

  test('is critical if many threads wait, unless each belongs to another client, as the candidates for a leader do', () => {
    const held = ['0.000 A attempts acquired', renews('A', 0, 100)];
    const many = [...'BCDEF'].map((who) => waits(who, 1, 100));
    expect(verdict(inOrder(...held, ...many), 99)).toMatchObject([{ severity: 'warning', values: { waiting: 5 } }]);
    const byOneClient = [2, 3, 4, 5, 6].map((thread) => waits(`B${thread}`, 1, 100));
    expect(verdict(inOrder(...held, ...byOneClient), 99)).toMatchObject([
      { severity: 'critical', values: { waiting: 5 } },
    ]);
  });

  test('fires even if the holder was not seen, until the lock is deleted', () => {
    const unseen = inOrder(waits('B', 1, 400), waits('C', 2, 400));
    expect(verdict(unseen, 60)).toEqual([]);
    expect(verdict(unseen, 100)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', holders: [], from: seconds(61.000_003), selfHealsAt: null },
        values: { holder: null, refusedAt: seconds(90.002_003), waiting: 2, waitedMs: 98_999.997, isConnected: false },
      },
    ]);
    expect(verdict(inOrder(unseen, '95.000 operator command DEL orders:42'), 100)).toEqual([]);
    expect(verdict(inOrder('1.000 B attempts refused', '90.000 B attempts refused'), 100)).toEqual([]); // B does not wait
  });

  test('does not fire while the lock changes hands, although one thread has waited for five minutes', () => {
    const turns = lines(
      60,
      (n) => `${n * 5}.000 ${n % 2 ? 'A' : 'C'} attempts acquired\n${n * 5 + 4}.900 ${n % 2 ? 'A' : 'C'} releases`,
    );
    expect(verdict(inOrder(turns, waits('B', 1, 299)), 299)).toEqual([]);
  });

  test('does not fire for a lock whose holds are always so long that the wait is not unusual', () => {
    const long = lines(6, (n) => `${n * 30}.000 A attempts acquired\n${n * 30 + 20}.000 A releases`);
    const held = inOrder(long, '200.000 A attempts acquired', renews('A', 200, 420), waits('B', 201, 420));
    expect(verdict(held, 420)).toEqual([]);
  });

  test('does not fire for the token of a leader that renews its lease while others attempt the lock', () => {
    const led = events(inOrder('0.000 A attempts acquired', renews('A', 0, 400), waits('B', 1, 400)));
    const held = led.filter(({ type }) => type !== 'lease.renewed');
    const asTokenLock = (some: readonly LockEvent[]) =>
      verdictAt(
        'threads-waited-long',
        some.map((event) => ({ ...event, kind: 'token-lock' })),
        seconds(399),
      );
    expect(asTokenLock(led)).toEqual([]);
    expect(asTokenLock(held)).toMatchObject([{ severity: 'warning' }]);
  });

  test('is a hint for connections that have listened since before watching began, until a waiter is known', () => {
    const found = '0.000 - snapshot A×1 600000 2';
    const hint = {
      severity: 'warning',
      confidence: 'hint',
      isAtLeast: true,
      values: { waiting: 2, areListeners: true, isAtLeast: true },
    };
    for (const level of ['monitor', 'events'] as const) {
      expect(verdict(found, 50, { level })).toBe('cannot know: blind-spot'); // these may have listened for an hour
      expect(verdict(found, 90, { level })).toMatchObject([hint]);
    }
    expect(verdict(inOrder(found, '40.000 B attempts refused'), 90)).toMatchObject([
      { from: seconds(60), confidence: 'likely', values: { waiting: 1, areListeners: false, isAtLeast: true } },
    ]);
    expect(verdict(inOrder(found, waits('B', 30, 31)), 99)).toMatchObject([
      { confidence: 'likely', values: { waiting: 1, areListeners: false } },
    ]);
  });

  test('is a hint with a lower limit for a waiter that only a read found in the queue', () => {
    const found = events('0.000 - snapshot A×1 600000');
    const queued = found.map((event) => ({
      ...event,
      ...{ kind: 'fair-lock', type: 'waiter.queued', holder: holderOf('B'), position: 1, deadline: null },
      ...{ seq: event.seq + 100, certainty: 'inferred' },
    }));
    const all = [...found.map((event) => ({ ...event, kind: 'fair-lock' })), ...queued] as LockEvent[];
    expect(verdictAt('threads-waited-long', all, seconds(99))).toMatchObject([
      // no attempt of the waiter was seen: it may be dead
      { confidence: 'hint', values: { waiting: 1, areListeners: false, areQueued: true, isAtLeast: true } },
    ]);
  });

  test('does not advise a release by hand while others hold the lock as well', () => {
    const readers = events('0.000 - snapshot A×1 600000 1').map((event) =>
      event.type === 'lock.found'
        ? {
            ...event,
            holders: ['A', 'C'].map((who) => ({ ...event.holders[0]!, holder: holderOf(who), mode: 'read' })),
          }
        : event,
    );
    const [insight] = verdictAt('threads-waited-long', readers as LockEvent[], seconds(99)) as Insight[];
    expect(insight?.values).toMatchObject({ holder: holderOf('A'), others: 1 });
    const { explanation, advice } = textsOf(ENGLISH, insight!, { who: (id) => id, clock: String });
    expect(explanation).toContain('1 other thread holds it as well.');
    expect(advice).toContain('restart the process: a release by hand takes the lock from its other holders as well.');
  });

  test('shows whether the holder is a permit, and whether the permit has an id', () => {
    const found = events('0.000 - snapshot A×1 600000 2');
    const verdictOf = (kind: LockEvent['kind']) =>
      verdictAt(
        'threads-waited-long',
        found.map((event): LockEvent => ({ ...event, kind })),
        seconds(99),
      );
    expect(verdictOf('expirable-semaphore')).toMatchObject([{ values: { isPermit: true, hasPermitId: true } }]);
    expect(verdictOf('semaphore')).toMatchObject([{ values: { isPermit: true, hasPermitId: false } }]);
    expect(verdictOf('lock')).toMatchObject([{ values: { isPermit: false } }]);
  });

  test('without commands, is only a hint for threads in the queue of a fair lock, because they may be dead', () => {
    const held = events(inOrder('0.000 A attempts acquired', renews('A', 0, 100), waits('B', 1, 100)));
    const place = { type: 'waiter.queued', position: 1, deadline: null } as const;
    const queued = held.map((event) => (event.type === 'waiter.subscribed' ? { ...event, ...place } : event));
    const at = (level: 'monitor' | 'events') =>
      verdictAt('threads-waited-long', queued as LockEvent[], seconds(99), { level }); // as a read of the queue shows it
    expect(at('events')).toMatchObject([{ confidence: 'hint', values: { waiting: 1, areQueued: true } }]);
    expect(at('monitor')).toMatchObject([{ confidence: 'likely', values: { waiting: 1, areQueued: false } }]);
  });

  test('is left out while a deadlock explains the waits, and while the client of the holder is gone', () => {
    const held = (by: string, waiter: string) =>
      inOrder(`0.000 ${by} attempts acquired`, renews(by, 0, 100), waits(waiter, 1, 100));
    const circle = merged(
      story(`orders:1 lease 30s\n${held('A', 'B')}`),
      story(`orders:2 lease 30s\n${held('B', 'A')}`),
    );
    const incidentsIn = (some: typeof circle, at: number) =>
      reportAt(some, seconds(at)).insights.map(({ incident }) => incident);
    expect(incidentsIn(events(held('A', 'B')), 99)).toEqual(['threads-waited-long']);
    expect(incidentsIn(circle, 99)).toEqual(['abba-deadlock']);
    const gone = inOrder(
      ...['0.000 A attempts acquired', renews('A', 0, 70), waits('B', 1, 80)],
      ...['69.000 redis lists A B', '75.000 redis lists B', '80.500 redis lists B'],
    );
    expect(incidentsIn(events(gone), 89)).toEqual(['holder-crashed-wait-ttl']);
  });

  test('is left out at each lock of a deadlock over two sources, and not at a lock of the same name elsewhere', () => {
    const held = (by: string, waiter: string) =>
      inOrder(`0.000 ${by} attempts acquired`, renews(by, 0, 100), waits(waiter, 1, 100));
    const elsewhere = (some: LockEvent[]) => some.map((event) => ({ ...event, source: 'other' }));
    const events = merged(
      story(`x lease 30s\n${held('A', 'B')}`),
      elsewhere(story(`y lease 30s\n${held('B', 'A')}`)),
      story(`y lease 30s\n${held('C', 'D')}`),
    );
    const { insights } = reportAt(events, seconds(99));
    const circle = insights.find(({ incident }) => incident === 'abba-deadlock');
    expect(new Set(circle && lockIdsIn(circle))).toEqual(new Set(['story/0/x', 'other/0/y']));
    const long = insights.filter(({ incident }) => incident === 'threads-waited-long');
    expect(long.map(({ lockId }) => lockId)).toEqual(['story/0/y']);
  });

  test('cannot know at level snapshot, or after a blind spot, during which the lock may have been handed over', () => {
    const blind = inOrder(FORGOTTEN, '50.000 redis loses sight', '51.000 redis sees again');
    expect(verdict(blind, 90)).toBe('cannot know: blind-spot');
    expect(verdict(FORGOTTEN, 90, { level: 'snapshot' })).toBe('cannot know: level');
  });
});
