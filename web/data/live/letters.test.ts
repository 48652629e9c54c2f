import { expect, test } from 'vitest';
import { makeEvent, makeHolder, makeLock, makeWaiter } from '../../testing/make.ts';
import { LetterDraft, letterOf } from './letters.ts';

test('letters come with locks and events, and the map stays the same object without a new letter', () => {
  const draft = new LetterDraft(new Map());
  draft.takeEvent(makeEvent(1, { holder: 'u:1', letter: 'A' }));
  draft.takeEvent(makeEvent(2, { holder: undefined, letters: { 'v:1': 'B' } }));
  draft.takeLock(
    makeLock({
      name: 'orders:42',
      holders: [makeHolder('w:1', { letter: 'C' })],
      waiters: [makeWaiter('x:1', { letter: '' })],
    }),
  );
  const letters = draft.letters(10);
  expect([...(letters.get('s/0/orders:42') ?? [])]).toEqual([
    ['u:1', 'A'],
    ['v:1', 'B'],
    ['w:1', 'C'],
  ]);
  const again = new LetterDraft(letters);
  again.takeEvent(makeEvent(3, { holder: 'u:1', letter: 'A' }));
  expect(again.letters(10)).toBe(letters);
});

test('a letter of a demo client is not used for other holders', () => {
  const given = new Map([['u:9', 'A']]);
  const atLock = new Map([
    ['u:1', 'A'],
    ['u:2', 'B'],
  ]);
  expect(letterOf(given, atLock, 'u:9')).toBe('A');
  expect(letterOf(given, atLock, 'u:1')).toBeNull();
  expect(letterOf(given, atLock, 'u:2')).toBe('B');
  expect(letterOf(new Map(), undefined, 'u:2')).toBeNull();
});
