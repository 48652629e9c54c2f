import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LevelSwitch } from './level-switch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(asked: ConstructorParameters<typeof LevelSwitch>[0]) {
  const levels = new LevelSwitch(asked);
  const changes: string[] = [];
  levels.onChange = () => changes.push(levels.level);
  return { levels, changes };
}

test('a level for a while gives way to the one asked for', () => {
  const { levels, changes } = watched('events');
  levels.goTo('monitor', 5000);
  vi.advanceTimersByTime(4999);
  expect(changes).toEqual(['monitor']);
  vi.advanceTimersByTime(1);
  expect(changes).toEqual(['monitor', 'events']);
});

test('MONITOR that does harm is left, with the reason, and tried again a minute later', () => {
  const { levels, changes } = watched('monitor');
  levels.retreat('We were 20 s behind Redis.');
  expect(levels.reason).toBe('We were 20 s behind Redis. Watching at level events instead.');
  vi.advanceTimersByTime(60_000);
  expect(changes).toEqual(['events', 'monitor']);
  expect(levels.reason).toBeUndefined();
});

test('what is refused leads down level by level, and changes nothing by itself', () => {
  const { levels, changes } = watched('monitor');
  levels.stepDown('MONITOR is refused.');
  levels.stepDown('SUBSCRIBE is refused.');
  expect(levels.level).toBe('snapshot');
  expect(changes).toEqual([]);
});

test('a level that is on already is no change', () => {
  const { levels, changes } = watched('events');
  levels.goTo('events', null);
  levels.stop();
  expect(changes).toEqual([]);
});
