import { expect, test } from 'vitest';
import { EffectFilter } from './effect-filter.ts';

/** What is left of a command if `k` and `l` are known keys. A word `…` was too long to keep. */
function left(command: string): string | undefined {
  const filter = new EffectFilter();
  filter.addKey('k');
  filter.addKey('l');
  const [name = '', ...args] = command.split(' ');
  return filter
    .wordsOf(
      name,
      args.map((arg) => (arg === '…' ? null : Buffer.from(arg))),
    )
    ?.join(' ');
}

test.each([
  'SET k 1',
  'DEL other k',
  'RENAME other k',
  'BITOP AND k other',
  'SORT list BY x STORE k',
  'GEORADIUS places 13 38 500 km STORE k',
  'GEORADIUSBYMEMBER places Rome 500 km STOREDIST k',
  'LMOVE list k LEFT LEFT',
])('`%s` writes the key of a lock, so it is passed on', (command) => {
  expect(left(command)).toBe(command);
});

test.each([
  'SET other k',
  'DEL other',
  'MSET other k',
  'MSETEX 1 other 1 PXAT 5',
  'BITOP AND other k',
  'SORT list STORE other',
  'GEORADIUS places 13 38 500 km STORE other',
])('`%s` writes no key of a lock, so it is left out', (command) => {
  expect(left(command)).toBeUndefined();
});

test.each([
  ['MSET a 1 k 2 b … l …', 'MSET k  l '],
  ['MSETNX … 1 k 2', 'MSET k '],
  ['MSETEX 2 a 1 k … PXAT 5', 'MSET k '],
])('of `%s`, only the keys of locks are passed on', (command, expected) => {
  expect(left(command)).toBe(expected);
});

test.each([
  ['DEL a … k l', 'DEL a k l'],
  ['UNLINK … k', 'UNLINK k'],
  ['BITOP AND k … b', 'BITOP AND k  b'],
  ['SORT … BY … STORE k', 'SORT  BY  STORE k'],
  ['HSET k … 1', 'RESTORE k'],
  ['RENAME … k', 'RESTORE k'],
])('of `%s`, with words that are too long, the key of a lock is kept', (command, expected) => {
  expect(left(command)).toBe(expected);
});
