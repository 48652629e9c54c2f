import { describe, expect, test } from 'vitest';
import { reduceLock } from '../../shared/state/reduce.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { insightsAbout } from '../../shared/wire/insights/insights-about.ts';
import { reportBodyFrom } from '../../shared/wire/insights/insights-from-report.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { lockView, UNKNOWN_PRESENCE } from '../../shared/wire/locks/lock-view.ts';
import { reportAt } from '../../testing/goldens/report-from-events.ts';
import { seconds, story } from '../../testing/stories/story.ts';
import { changesHands, isAskedFor, verdictOf } from './lock-verdict.ts';

const SEEN = { seesWaiters: true, isChangingHands: false, isAskedFor: false };

const HELD = story(`
  orders:42 lease 30s
  0.000  A attempts acquired
`);
const CROWDED = story(`
  orders:42 lease 30s
  0.000  A attempts acquired
  0.100  B attempts refused
  0.110  B subscribes
  0.120  B attempts refused
`);

function lockFrom(events: ReturnType<typeof story>): Lock {
  const state = events.reduce<Parameters<typeof reduceLock>[0]>((lock, event) => reduceLock(lock, event), undefined);
  if (!state) throw new Error('the story has no event');
  const lock = lockView(state, seconds(1), UNKNOWN_PRESENCE);
  return { ...lock, holders: lock.holders.map((holder) => ({ ...holder, presence: 'connected' })) };
}

/** What is wrong after the client of the holder is gone. */
function crash(): WireInsight[] {
  const gone = story(`
    orders:42 lease 30s
    0.000  A attempts acquired
    1.000  redis lists A other
    6.000  redis lists other
  `);
  return reportBodyFrom(reportAt(gone, seconds(7))).insights;
}

describe('the verdict about a lock', () => {
  test('is the open problem of the lock, with its end', () => {
    const insights = crash();
    const lock = lockFrom(HELD);
    expect(insightsAbout(insights, { ...lock, name: 'other' })).toEqual([]);
    const verdict = verdictOf(lock, insightsAbout(insights, lock), SEEN);
    expect(verdict).toEqual({ word: 'orphaned', until: insights[0]?.selfHealsAt, isBad: true });
  });

  test('is critical for a critical problem, but not for a warning', () => {
    const [found] = crash();
    if (!found) throw new Error('nothing was found');
    const isCritical = (severity: WireInsight['severity']) =>
      verdictOf(lockFrom(HELD), [{ ...found, severity }], SEEN)?.isCritical;
    expect([isCritical('critical'), isCritical('warning')]).toEqual([true, undefined]);
  });

  test('is only likely orphaned if other explanations are possible', () => {
    const [found] = crash();
    if (!found) throw new Error('nothing was found');
    const wordOf = (confidence: WireInsight['confidence']) =>
      verdictOf(lockFrom(HELD), [{ ...found, confidence }], SEEN)?.word;
    expect([wordOf('certain'), wordOf('likely')]).toEqual(['orphaned', 'likelyOrphaned']);
    expect(verdictOf(lockFrom(HELD), [{ ...found, confidence: 'likely', effect: 'stuck' }], SEEN)?.word).toBe('stuck');
  });

  test('is not "orphaned" if only a renewal is overdue: the client is not known to be gone', () => {
    const [found] = crash();
    if (!found) throw new Error('nothing was found');
    expect(verdictOf(lockFrom(HELD), [{ ...found, effect: 'other' }], SEEN)?.word).toBe('problem');
  });

  test('is not a problem that has ended, nor a hint', () => {
    const [found] = crash();
    if (!found) throw new Error('nothing was found');
    expect(verdictOf(lockFrom(HELD), [{ ...found, to: found.from }], SEEN)?.word).toBe('healthy');
    expect(verdictOf(lockFrom(HELD), [{ ...found, severity: 'hint' }], SEEN)?.word).toBe('healthy');
  });

  test('is a problem and not healthy while a lost hold is listed, also after its end', () => {
    const [found] = crash();
    if (!found) throw new Error('nothing was found');
    const lost: WireInsight = { ...found, effect: 'lost', to: found.from };
    const shown = (lock: Lock, ...about: WireInsight[]) => verdictOf(lock, about, SEEN)?.word;
    expect(shown(lockFrom(HELD), lost)).toBe('problem');
    expect(shown(lockFrom(HELD), { ...lost, severity: 'hint' })).toBe('healthy');
    expect(shown(lockFrom(CROWDED), lost)).toBe('busy');
  });

  test('is not "healthy" if waiters may be hidden or the client of the holder may be disconnected', () => {
    expect(verdictOf(lockFrom(HELD), [], SEEN)?.word).toBe('healthy');
    expect(verdictOf(lockFrom(HELD), [], { ...SEEN, seesWaiters: false })?.word).toBe('held');
    const held = lockFrom(HELD);
    const unknown = { ...held, holders: held.holders.map((holder) => ({ ...holder, presence: 'unknown' as const })) };
    expect(verdictOf(unknown, [], SEEN)?.word).toBe('held');
    expect(verdictOf(lockFrom(CROWDED), [], SEEN)?.word).toBe('busy');
  });

  test('is "asked for" and not healthy while threads are refused again and again, until they stop', () => {
    const asked = { ...SEEN, isAskedFor: true };
    expect(verdictOf(lockFrom(HELD), [], asked)).toEqual({ word: 'asked', until: null, isBad: false });
    expect(verdictOf(lockFrom(CROWDED), [], asked)?.word).toBe('busy');
    const refusedAgain = { threads: 6, attempts: 1800, since: seconds(0), lastAt: seconds(180) };
    const isAsked = (at: number) => isAskedFor({ ...lockFrom(HELD), refusedAgain }, seconds(at));
    expect([isAsked(181), isAsked(190), isAsked(191)]).toEqual([true, true, false]);
    expect(isAskedFor(lockFrom(HELD), seconds(1))).toBe(false);
  });

  test('is "healthy" only if every holder is known', () => {
    const held = lockFrom(HELD);
    const [first] = held.holders;
    if (!first) throw new Error('the lock has no holder');
    expect(verdictOf({ ...held, holders: [] }, [], SEEN)?.word).toBe('held');
    expect(verdictOf({ ...held, moreHolders: 1 }, [], SEEN)?.word).toBe('held');
    const out = (available: number, holdCount: number) =>
      verdictOf({ ...held, permits: { available, total: 3 }, holders: [{ ...first, holdCount }] }, [], SEEN)?.word;
    expect([out(2, 1), out(1, 2), out(1, 1)]).toEqual(['healthy', 'healthy', 'held']);
    expect(verdictOf({ ...held, holders: [], latch: { count: 2 } }, [], SEEN)?.word).toBe('healthy');
  });

  test('is empty for a free lock', () => {
    const free = lockFrom(story(`\n  orders:42 lease 30s\n  0.000  A attempts acquired\n  1.000  A releases\n`));
    expect(verdictOf(free, [], SEEN)).toBeNull();
  });

  test('is "convoy" only while the lock changes hands', () => {
    const lock = { ...lockFrom(CROWDED), handovers: { perSecond: 0.5, since: seconds(0), at: seconds(60) } };
    const crowd = { ...lock, subscribers: 9 };
    expect(changesHands(crowd, seconds(65))).toBe(true);
    expect(changesHands(crowd, seconds(71))).toBe(false);
    expect(changesHands({ ...crowd, handovers: { ...lock.handovers, perSecond: 0.1 } }, seconds(85))).toBe(true);
    expect(verdictOf(crowd, [], { ...SEEN, isChangingHands: true })?.word).toBe('convoy');
    expect(verdictOf(crowd, [], SEEN)?.word).toBe('busy');
  });
});
