import { afterEach, expect, test, vi } from 'vitest';
import { makeStoredChoice } from './stored-choice.ts';

afterEach(() => vi.unstubAllGlobals());

function storageWith(entries: Record<string, string>) {
  const stored = new Map(Object.entries(entries));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  return stored;
}

test('a choice is restored at the next visit, and listeners are called once per change', () => {
  const stored = storageWith({});
  const first = makeStoredChoice('density', ['comfortable', 'compact']);
  const heard = vi.fn();
  const stop = first.subscribe(heard);
  first.choose('compact');
  first.choose('compact');
  expect(heard).toHaveBeenCalledTimes(1);
  stop();
  first.choose('comfortable');
  first.choose('compact');
  expect(heard).toHaveBeenCalledTimes(1);
  expect(stored.get('lockscope.density')).toBe('compact');
  expect(makeStoredChoice('density', ['comfortable', 'compact']).get()).toBe('compact');
});

test.each(['', 'dense', 'toString', 'COMPACT'])('a stored %j is ignored', (text) => {
  storageWith({ 'lockscope.density': text });
  expect(makeStoredChoice('density', ['comfortable', 'compact']).get()).toBe('comfortable');
});

test('a choice still takes effect if storage is blocked', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('denied');
    },
    setItem: () => {
      throw new Error('denied');
    },
  });
  const choice = makeStoredChoice('wheel', ['scroll', 'zoom']);
  choice.choose('zoom');
  expect(choice.get()).toBe('zoom');
});
