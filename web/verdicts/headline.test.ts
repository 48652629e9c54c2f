import { expect, test } from 'vitest';
import { EN } from '../words/en.ts';
import { headlineOf, type Quiet } from './headline.ts';

const unseen = (incident: string, effect: Quiet['cannotTell'][number]['effect']): Quiet['cannotTell'][number] => ({
  ...{ incident, effect, source: 'redis', reason: 'level', locks: 0 },
});
const DEADLOCK = unseen('abba-deadlock', 'stuck');
const SEEN: Quiet = {
  ...{ cannotTell: [], failed: [], kinds: 47, isPast: false, isMoreVisible: false, isPart: false },
  waits: { locks: 0, longest: null, asked: null },
};
const say = (part: Partial<Quiet>) => headlineOf({ ...SEEN, ...part }, EN.verdicts);

test('the headline is "nothing is wrong" only if every check for lost, orphaned and stuck locks ran', () => {
  expect(say({})).toBe('Nothing is wrong, as far as can be seen.');
  expect(say({ cannotTell: [unseen('replica-sync-tax', 'slow')] })).toBe('Nothing is wrong, as far as can be seen.');
  expect(say({ cannotTell: [DEADLOCK] })).toBe('No problem is visible, but 1 of 47 checks cannot be answered now.');
  expect(say({ failed: [{ incident: 'abba-deadlock', message: 'broken' }] })).toContain('cannot be answered now');
});

test('while clients wait and causes are hidden, the headline reports that, and what would show them', () => {
  expect(say({ cannotTell: [DEADLOCK], isMoreVisible: true, waits: { locks: 3, longest: null, asked: null } })).toBe(
    'Clients wait for 3 locks. Why is not visible: 1 of 47 checks need MONITOR.',
  );
});

test('while locks may be missing, the headline claims nothing about them, now and at a past instant', () => {
  const locks: Quiet['cannotTell'] = [{ ...DEADLOCK, reason: 'locks' }];
  for (const part of [{ isPart: true }, { cannotTell: locks }]) {
    expect(say(part)).toBe('No problem is visible in the locks found so far.');
    expect(say({ ...part, isPast: true, waits: null })).toBe(
      'No problem was found then in the locks that could be seen.',
    );
  }
});

test('a wait is not called unexplained if only checks for lost locks are missing', () => {
  expect(
    say({ cannotTell: [unseen('evicted-lock-key', 'lost')], waits: { locks: 3, longest: null, asked: null } }),
  ).toBe('No problem is visible, but 1 of 47 checks cannot be answered now.');
});

test('a check for lost locks that cannot be answered does not hide a wait beyond a lease', () => {
  const blind = { cannotTell: [unseen('evicted-lock-key', 'lost')] };
  expect(say({ ...blind, waits: { locks: 1, longest: { ms: 45_000, isAtLeast: false }, asked: null } })).toBe(
    'No cause is known, but clients wait for 1 lock, the longest for 45 s. 1 of 47 checks cannot be answered now.',
  );
});

test('a wait beyond a lease is reported, although no check has found its cause', () => {
  expect(say({ waits: { locks: 1, longest: { ms: 45_000, isAtLeast: false }, asked: null } })).toBe(
    'No cause is known, but clients wait for 1 lock, the longest for 45 s.',
  );
  expect(say({ waits: { locks: 1, longest: { ms: 45_000, isAtLeast: true }, asked: null } })).toBe(
    'No cause is known, but clients wait for 1 lock, the longest for at least 45 s.',
  );
});

test('attempts that may belong to waiters are reported as attempts instead of "nothing is wrong"', () => {
  const asked = { locks: 1, ms: 45_000 };
  expect(say({ waits: { locks: 0, longest: null, asked } })).toBe(
    'No problem is known, but threads have asked for 1 lock more than once a second, for up to 45 s, and were refused. Whether they wait is not visible.',
  );
  const longest = { ms: 45_000, isAtLeast: false };
  expect(say({ waits: { locks: 1, longest, asked } })).toContain('clients wait for 1 lock, the longest for 45 s');
});

test('a latch with a long or invisible name is named by short, visible characters', () => {
  const latch = { name: `\u202eboot${'x'.repeat(10_000)}`, count: 2 };
  const text = say({ waits: { locks: 1, longest: { ms: 45_000, isAtLeast: true, latch }, asked: null } });
  expect(text.length).toBeLessThan(300);
  expect(text).not.toContain('\u202e');
});

test('the headline about a long wait for a latch names the latch and its count', () => {
  const latch = { name: 'boot', count: 2 };
  expect(say({ waits: { locks: 1, longest: { ms: 45_000, isAtLeast: true, latch }, asked: null } })).toBe(
    'No cause is known, but clients wait, the longest for at least 45 s: until the latch boot opens, whose last known count is 2.',
  );
});

test('at a past instant, the headline shows what could not be answered then', () => {
  const past = { isPast: true, waits: null };
  expect(say(past)).toBe('Nothing was wrong then, as far as could be seen.');
  expect(say({ ...past, cannotTell: [DEADLOCK] })).toBe(
    'No problem was found then, but 1 of 47 checks could not be answered.',
  );
});
