import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { LevelSwitch } from './level-switch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;

function watched(asked: ConstructorParameters<typeof LevelSwitch>[0]) {
  const changes: string[] = [];
  const levels: LevelSwitch = new LevelSwitch(asked, () => changes.push(levels.level));
  return { levels, changes };
}

function wish(level: ObserveLevel, forMs: number | null = null) {
  return { level, forMs, isForced: false };
}

const LATE = problem('behind-redis', { behindMs: 2000 });

test('a level with a time limit reports its end, and then the level before returns', () => {
  const { levels, changes } = watched('events');
  levels.goTo(wish('monitor', 5000));
  expect(levels.until).toBe(Date.now() + 5000);
  vi.advanceTimersByTime(4999);
  expect(changes).toEqual(['monitor']);
  vi.advanceTimersByTime(1);
  expect(changes).toEqual(['monitor', 'events']);
  expect(levels.until).toBeNull();
});

test('a thousand requests in a second cause one change at once and one a second later, to the last requested level', () => {
  const { levels, changes } = watched('events');
  for (let n = 0; n < 1000; n++) {
    levels.goTo(wish(n % 2 === 0 ? 'monitor' : 'events'));
    vi.advanceTimersByTime(1);
  }
  expect(changes).toEqual(['monitor', 'events']);
  levels.goTo(wish('snapshot'));
  expect(levels).toMatchObject({ level: 'events', next: 'snapshot' });
  vi.advanceTimersByTime(1000);
  expect(changes).toEqual(['monitor', 'events', 'snapshot']);
  expect(levels.next).toBeUndefined();
});

test('MONITOR that does harm ends, with the reason, and is tried again after 1, 5 and 15 minutes only', () => {
  const { levels, changes } = watched('monitor');
  for (const pause of [1, 5, 15]) {
    levels.retreat(LATE);
    expect(levels.reason).toEqual(LATE);
    vi.advanceTimersByTime(pause * MINUTE - 1);
    expect(levels.level).toBe('events');
    vi.advanceTimersByTime(1);
    expect(levels.level).toBe('monitor');
    expect(levels.reason).toBeUndefined();
  }
  levels.retreat(LATE);
  vi.advanceTimersByTime(24 * 60 * MINUTE);
  expect(changes.at(-1)).toBe('events');
  expect(levels.reason).toEqual(LATE);
});

test('MONITOR for a limited time that did harm is not tried again after that time', () => {
  const { levels } = watched('events');
  levels.goTo(wish('monitor', 30_000));
  levels.retreat(LATE);
  vi.advanceTimersByTime(10 * MINUTE);
  expect(levels).toMatchObject({ level: 'events', reason: undefined, until: null });
});

test('MONITOR that is too expensive begins once it is affordable', () => {
  const { levels, changes } = watched('monitor');
  levels.postpone(problem('over-budget', { costShare: 0.8, redisCpuShare: null }));
  vi.advanceTimersByTime(MINUTE);
  expect(levels).toMatchObject({ level: 'events', isPostponed: true });
  levels.affordable();
  expect(changes).toEqual(['monitor']);
  expect(levels).toMatchObject({ reason: undefined, isPostponed: false });
});

test('a refused level steps down level by level, without calling onChange', () => {
  const { levels, changes } = watched('monitor');
  levels.refuse(problem('monitor-refused', { user: 'app' }));
  levels.refuse(problem('subscribe-refused', { user: 'app', grant: 'ACL SETUSER app +psubscribe' }));
  expect(levels).toMatchObject({ level: 'snapshot', refused: ['monitor', 'events'] });
  expect(changes).toEqual([]);
});

test('a refused level begins when it is permitted, and the reason of a higher one is kept', () => {
  const { levels, changes } = watched('monitor');
  levels.refuse(problem('monitor-refused', { user: 'app' }));
  levels.refuse(problem('subscribe-refused', { user: 'app', grant: 'ACL SETUSER app +psubscribe' }));
  levels.permitted('events');
  expect(levels).toMatchObject({ next: 'events', refused: ['monitor'], reason: { code: 'monitor-refused' } });
  levels.permitted('monitor');
  expect(levels).toMatchObject({ next: 'monitor', refused: [], reason: undefined });
  vi.advanceTimersByTime(1000);
  expect(changes.at(-1)).toBe('monitor');
});

test('a refused level that is permitted again keeps the reason why a higher one ended', () => {
  const { levels } = watched('replication');
  levels.stepDown(problem('replication-unavailable', { why: 'no-publish' }));
  levels.refuse(problem('subscribe-refused', { user: 'app', grant: 'ACL SETUSER app +psubscribe' }));
  levels.permitted('events');
  expect(levels).toMatchObject({ next: 'events', refused: [], reason: { code: 'replication-unavailable' } });
});

test('a request for a level forgets which levels were refused', () => {
  const { levels } = watched('monitor');
  levels.refuse(problem('monitor-refused', { user: 'app' }));
  levels.goTo(wish('snapshot'));
  expect(levels).toMatchObject({ refused: [], reason: undefined });
});

test('a request for the current level changes nothing, and a stopped switch does not end a level in time', () => {
  const { levels, changes } = watched('events');
  levels.goTo(wish('events'));
  levels.goTo(wish('monitor', 1000));
  levels.stop();
  vi.advanceTimersByTime(MINUTE);
  expect(changes).toEqual(['monitor']);
});

test('harm that is reported twice ends MONITOR once', () => {
  const { levels, changes } = watched('monitor');
  levels.retreat(LATE);
  levels.retreat(LATE);
  expect(changes).toEqual(['events']);
  vi.advanceTimersByTime(MINUTE);
  expect(changes).toEqual(['events', 'monitor']);
});

test('if MONITOR does harm while another level is about to begin, that level begins at once, and MONITOR is not tried again', () => {
  const { levels, changes } = watched('events');
  levels.goTo(wish('monitor'));
  levels.goTo(wish('snapshot'));
  levels.retreat(LATE);
  expect(changes).toEqual(['monitor', 'snapshot']);
  vi.advanceTimersByTime(60 * MINUTE);
  expect(changes).toEqual(['monitor', 'snapshot']);
});
