import { expect, test } from 'vitest';
import { hasAcquired, hasGivenUp, hasUnlocked, isUnlockRefused, parseTruth } from './truth.ts';

const NOT_HELD =
  'IllegalMonitorStateException: attempt to unlock lock, not locked by current thread by node id: 1315308f thread-id: 62';

test('a call has two lines, with lines of other threads between them', () => {
  const { calls, uuids, lastAt } = parseTruth([
    '1795218556721680 app1 ready 1315308f-27b4-4395-a14c-85668696be8b',
    '1795218557033611 app1 A#62 > lock lock orders:42 2500',
    '1795218557040000 app1 B#63 > try lock orders:42 500',
    '1795218557061098 app1 A#62 < lock lock orders:42 2500 = ok',
    '1795218557579180 app1 B#63 < try lock orders:42 500 = false',
  ]);
  expect(uuids).toEqual(new Map([['app1', '1315308f-27b4-4395-a14c-85668696be8b']]));
  expect(lastAt).toBe(1795218557579180);
  expect(calls.map(({ letter, thread, op, args, outcome }) => ({ letter, thread, op, args, outcome }))).toEqual([
    { letter: 'A', thread: '62', op: 'lock', args: [2500], outcome: { value: 'ok' } },
    { letter: 'B', thread: '63', op: 'try', args: [500], outcome: { value: 'false' } },
  ]);
  expect(calls.map(hasAcquired)).toEqual([true, false]);
  expect(calls.map(hasGivenUp)).toEqual([false, true]);
});

test('an exception keeps its name and message; a call that never returned has no outcome', () => {
  const { calls } = parseTruth([
    '1000000 app A#62 > unlock lock orders:42',
    `1000001 app A#62 < unlock lock orders:42 ! ${NOT_HELD}`,
    '1000002 app A#62 > lock lock orders:42',
  ]);
  const [refused, pending] = calls;
  expect(refused && isUnlockRefused(refused)).toBe(true);
  expect(refused && hasUnlocked(refused)).toBe(false);
  expect(refused?.outcome).toEqual({
    exception: 'IllegalMonitorStateException',
    message: NOT_HELD.slice('IllegalMonitorStateException: '.length),
  });
  expect(pending).toMatchObject({ returned: null, outcome: null });
});

test.each([
  ["tick'`;--", "tick'`;--"],
  ['quote"and\\slash', 'quote"and\\slash'],
  ['<img/src=x/onerror=alert(1)>', '<img/src=x/onerror=alert(1)>'],
  ['two%20words%0Aand%25', 'two words\nand%'],
  ['汉字锁', '汉字锁'],
  ['=', '='],
  ['!', '!'],
])('the name %s is read as %j', (escaped, name) => {
  const { calls } = parseTruth([
    `1000000 app A#1 > lock lock ${escaped}`,
    `1000001 app A#1 < lock lock ${escaped} = ok`,
  ]);
  expect(calls).toMatchObject([{ lock: name, outcome: { value: 'ok' } }]);
});

test('a client whose uuid is written as `?` has none, and remarks are skipped', () => {
  const { uuids } = parseTruth(['1795218777406392 app ready ?', '# 1795225545396901 master killed', '']);
  expect(uuids).toEqual(new Map([['app', null]]));
});

test.each(['nonsense', '17 app', '17 app A#1 ~ lock lock x', '17 app A#1 < lock lock x = ok', '17 app A#1 > lock'])(
  'a line that does not report what a client saw is an error: %s',
  (line) => {
    expect(() => parseTruth([line])).toThrow('not a truth line');
  },
);
