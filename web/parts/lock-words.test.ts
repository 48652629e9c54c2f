import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { turnsOf } from '../../shared/spans/turns.ts';
import { personText, splitHolder } from '../../shared/wire/person-text.ts';
import { makeHolder, makeLock, makeWaiter } from '../testing/make.ts';
import { EN } from '../words/en.ts';
import { holdLease, libraryName, noTurnsText, noWaitersText, waitersText, waiterText } from './lock-words.ts';

const UUID = '8f3a1c02-7248-4046-a5a4-e76ba17fea7d';

test('a holder is shown by the name of its client or by its id; long random ids are shortened', () => {
  expect(personText(UUID, '7', 'order-svc-1')).toBe('order-svc-1:7');
  expect(personText(UUID, '7', null)).toBe('8f3a1c02:7');
  expect(personText('some-token', null, null)).toBe('some-token');
  expect(personText('459491ee0d6748a98c4cb6d4e8943125', null, null)).toBe('459491ee…');
  expect(personText('pSl3k9vQm2XhT0aZbYcD1w==', null, null)).toBe('pSl3k9vQ…');
  expect(personText('order-service-7f9c8d-x2b4q', null, null)).toBe('order-service-7f9c8d-x2b4q');
  expect(splitHolder(`${UUID}:7`)).toEqual({ client: UUID, thread: '7' });
  expect(splitHolder('token:with:colons')).toEqual({ client: 'token:with:colons', thread: null });
});

const ms = (n: number) => redisTime(n * 1000);
const lease = { ms: 6000, expiresAt: ms(10_000) };

test('the time left of a lease falls with Redis time and is at its maximum again after a renewal', () => {
  const holder = makeHolder('u:1', { lastRenewedAt: ms(4000) });
  expect(holdLease(lease, [holder], ms(7000), EN.lock.lease)).toMatchObject({
    state: 'renewed',
    leftMs: 3000,
    share: 0.5,
    words: '',
  });
  expect(holdLease(lease, [holder], ms(4000), EN.lock.lease)).toMatchObject({ isJustRenewed: true, share: 1 });
  expect(holdLease(lease, [holder], ms(4100), EN.lock.lease)).toMatchObject({ isJustRenewed: true, leftMs: 5900 });
  expect(holdLease(lease, [holder], ms(7000), EN.lock.lease).isJustRenewed).toBe(false);
});

test('a lease that is not renewed, orphaned, endless or unknown has a text, and one that is over has a share of 0', () => {
  expect(holdLease(lease, [makeHolder('u:1', { watchdog: 'off' })], ms(7000), EN.lock.lease)).toMatchObject({
    state: 'fixed',
    words: 'not renewed',
  });
  expect(holdLease(lease, [makeHolder('u:1', { presence: 'gone' })], ms(7000), EN.lock.lease)).toMatchObject({
    state: 'orphaned',
    words: 'holder gone',
  });
  expect(holdLease(lease, [makeHolder('u:1')], ms(10_500), EN.lock.lease)).toMatchObject({ state: 'over', share: 0 });
  const view = (lease: Parameters<typeof holdLease>[0]) => holdLease(lease, [makeHolder('u:1')], ms(1), EN.lock.lease);
  expect(view({ ms: null, expiresAt: null, neverEnds: true })).toMatchObject({ words: 'never ends' });
  expect(view({ ms: 6000, expiresAt: null, neverEnds: true })).toMatchObject({ words: 'never ends' });
  expect(view({ ms: null, expiresAt: null })).toMatchObject({ state: 'unknown', words: 'not known' });
  expect(view({ ms: 6000, expiresAt: null })).toMatchObject({ state: 'unknown', words: 'not known' });
  expect(holdLease(lease, [makeHolder('u:1')], null, EN.lock.lease)).toMatchObject({ state: 'unknown' });
});

test('an empty list of waiters shows how many clients listen, that no client does, or that waiters are hidden', () => {
  const held = (subscribers: number | null) => makeLock({ name: 'a', held: true, subscribers });
  expect(noWaitersText(held(0), null, EN.lock)).toBe('no client');
  expect(noWaitersText(held(2), null, EN.lock)).toBe('2 listening for release');
  expect(noWaitersText(held(2), 'level', EN.lock)).toBe('2 listening for release');
  expect(noWaitersText(held(null), 'level', EN.lock)).toBe('hidden');
  expect(noWaitersText(held(0), 'own', EN.lock)).toBe('hidden');
  expect(noWaitersText({ ...held(2), kind: 'latch', latch: { count: 1 } }, 'level', EN.lock)).toBe(
    '2 listening for its opening',
  );
});

test('if waiters may be hidden, the number of visible waiters is a minimum, except in a readable queue', () => {
  const waited = (position: number | null) =>
    makeLock({ name: 'a', held: true, waiters: [makeWaiter('w:1', { position })] });
  expect(waitersText(waited(null), null, EN.lock)).toBe('1');
  for (const hidden of ['level', 'unread', 'listeners', 'queue', 'own'] as const)
    expect(waitersText(waited(null), hidden, EN.lock)).toBe('1 or more');
  expect(waitersText(waited(1), 'level', EN.lock)).toBe('1 in line');
  expect(waitersText(waited(1), 'queue', EN.lock)).toBe('1 or more');
});

test('a waiter presumed gone that does not block the queue is shown as still in the queue', () => {
  const dead = makeWaiter('d:1', { position: 4, presumedGone: true });
  expect(waiterText(dead, EN.lock, 'fair-lock', false)).toBe('presumed gone, still in the queue');
});

test('a lock without hand-overs shows for how long it was watched', () => {
  const S = 1_000_000;
  const hold = (from: number) =>
    ({ kind: 'hold', holder: 'a:7', from: from * S, to: null, ended: null, openStart: true }) as const;
  const textOf = (now: number, wholeFrom: number, ...spans: ReturnType<typeof hold>[]) =>
    noTurnsText(turnsOf(spans, { waiting: 0, now: now * S, wholeFrom: wholeFrom * S }), EN.remedies);
  expect(textOf(105, 100, hold(100))).toBe('No hand-over seen in the last 5 s.');
  expect(textOf(300, 295, hold(100))).toBe('No hand-over seen in the last 5 s.');
  expect(textOf(300, 0, hold(100))).toBe('No hand-over seen in the last 60 s.');
  expect(textOf(100, 100)).toBe('No hand-over seen yet.');
});

test('a lock is "probably" a lock of Redisson while only the form of its fields shows that', () => {
  const nameOf = (part: Partial<Parameters<typeof makeLock>[0]>) =>
    libraryName(makeLock({ name: 'x', ...part }), EN.lock);
  const found = { kindKnown: false, library: 'redisson' };
  expect(nameOf(found)).toBe('probably redisson');
  expect(nameOf({ ...found, listenedSince: 1 })).toBe('redisson');
  expect(nameOf({ ...found, clientVersion: '3.40.0' })).toBe('redisson');
  expect(nameOf({ library: 'redisson' })).toBe('redisson');
  expect(nameOf({ ...found, library: 'unknown' })).toBe('unknown library');
});
