import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { EVENT_TYPES } from '../../shared/events/event.ts';
import { personText, splitHolder } from '../../shared/wire/person-text.ts';
import { detailFromEvent } from '../events/event-words.ts';
import { compareLocks } from '../locks/columns/lock-order.ts';
import { countLocks, isLockShown } from '../locks/lock-list.ts';
import { holdLease, noWaitersText, waiterText } from '../parts/lock-words.ts';
import { makeEvent, makeHolder, makeLock, makeWaiter } from '../testing/make.ts';
import { EN } from '../words/en.ts';
import { ZH_CN } from '../words/zh-CN.ts';

const UUID = '8f3a1c02-7248-4046-a5a4-e76ba17fea7d';

test.each([
  [{ type: 'lock.acquired', mode: 'exclusive', holdCount: 1, leaseMs: 6000 }, 'lease 6 s'],
  [
    { type: 'lock.acquired', mode: 'read', leaseMs: 6000, wokenBy: 'message', waitedMs: 4500 },
    'to read, lease 6 s, woken by message, waited 4.5 s',
  ],
  [{ type: 'lock.reentered', mode: 'exclusive', holdCount: 2, leaseMs: 30_000 }, 'holds ×2, lease 30 s'],
  [{ type: 'lock.refused', mode: 'exclusive', ttlMs: 5500, attempt: 1, asleep: false }, '5.5 s left'],
  [
    { type: 'lock.refused', mode: 'exclusive', ttlMs: 5500, attempt: 2, asleep: true },
    '5.5 s left, attempt 2, sleeps now',
  ],
  [{ type: 'lock.refused', mode: 'exclusive', ttlMs: null, attempt: 2 }, 'held, time left unknown, attempt 2'],
  [{ type: 'lock.refused', mode: 'exclusive', ttlMs: null, attempt: 1, reason: 'error' }, 'got an error'],
  [{ type: 'lock.partially-released', mode: 'exclusive', holdCount: 1 }, 'still holds ×1'],
  [{ type: 'lease.renewed', cause: 'watchdog', leaseMs: 6000 }, 'lease renewed to 6 s'],
  [
    { type: 'lease.renewed', cause: 'command', expiresAt: null },
    'lease has no end now, set by a command, not by a watchdog',
  ],
  [{ type: 'lease.renewed', cause: 'watchdog', leaseMs: 6000, batch: 3 }, 'lease renewed to 6 s, one of 3 in a batch'],
  [
    { type: 'unlock.refused', reason: 'no-lock', callerSawSuccess: true },
    'no client holds the lock, but its caller saw success',
  ],
  [{ type: 'lock.deleted', command: 'DEL', holder: undefined }, 'by DEL, no holder was known'],
  [
    { type: 'client.connected', addresses: ['10.1.2.3:44856', '10.1.2.3:44858'], library: 'redisson', since: 1 },
    'connected from 10.1.2.3:44856 and 1 more connection',
  ],
  [
    { type: 'client.idle', addresses: ['10.1.2.3:44856'], library: 'redisson', since: 1000, at: 40_001_000 },
    'nothing was sent for 40 s, 10.1.2.3:44856',
  ],
  [
    { type: 'blind-spot.ended', from: 1000, at: 3_201_000, reason: 'watching-again' },
    'not watched for 3.2 s, watching again',
  ],
])('%j in words', (part, words) => {
  expect(detailFromEvent(makeEvent(1, part), EN)).toBe(words);
});

test.each([EN, ZH_CN])('no two event types have the same word', (language) => {
  const words = EVENT_TYPES.map((type) => language.events.type[type]);
  expect(new Set(words).size).toBe(EVENT_TYPES.length);
});

test('ids of holders are shortened', () => {
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

test('a lease counts down by Redis time and is full again after a renewal', () => {
  const holder = makeHolder('u:1', { lastRenewedAt: ms(4000) });
  expect(holdLease(lease, [holder], ms(7000), EN.lock.lease)).toMatchObject({
    state: 'refilled',
    leftMs: 3000,
    share: 0.5,
    words: '',
  });
  expect(holdLease(lease, [holder], ms(4100), EN.lock.lease)).toMatchObject({ isJustRefilled: true });
  expect(holdLease(lease, [holder], ms(7000), EN.lock.lease).isJustRefilled).toBe(false);
});

test('a lease that will not be renewed has a text that explains it', () => {
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

test('an empty list of waiters shows how many clients listen, that there are none, or that waiters are hidden', () => {
  const held = (subscribers: number | null) => makeLock({ name: 'a', held: true, subscribers });
  expect(noWaitersText(held(0), true, EN.lock)).toBe('no client');
  expect(noWaitersText(held(2), true, EN.lock)).toBe('2 listening for release');
  expect(noWaitersText(held(2), false, EN.lock)).toBe('2 listening for release');
  expect(noWaitersText(held(null), false, EN.lock)).toBe('hidden');
});

const locks = [
  makeLock({ name: 'free' }),
  makeLock({ name: 'held', held: true, holders: [makeHolder('u:1', { name: 'order-svc-1' })], lease }),
  makeLock({
    name: 'fought',
    held: true,
    holders: [makeHolder('v:1', { holdCount: 3 })],
    waiters: [makeWaiter('w:9')],
  }),
  makeLock({ name: 'orphan', held: true, holders: [makeHolder('x:1', { presence: 'gone' })] }),
];
const names = (sort: Parameters<typeof compareLocks>[2], isReversed = false) =>
  [...locks].sort((a, b) => compareLocks(a, b, sort, isReversed)).map((lock) => lock.name);

test('what needs attention comes first', () => {
  expect(names('attention')).toEqual(['orphan', 'fought', 'held', 'free']);
  expect(names('name')).toEqual(['fought', 'free', 'held', 'orphan']);
  expect(names('name', true)).toEqual(['orphan', 'held', 'free', 'fought']);
  expect(names('count')[0]).toBe('fought');
  expect(names('lease')).toEqual(['held', 'fought', 'orphan', 'free']);
});

test('the find box finds locks by name, holder and waiter', () => {
  const found = (show: Parameters<typeof isLockShown>[1], q: string) =>
    locks.filter((lock) => isLockShown(lock, show, q)).map((lock) => lock.name);
  expect(found('all', 'ORDER-svc-1:1')).toEqual(['held']);
  expect(found('all', 'w:9')).toEqual(['fought']);
  expect(found('all', ' f ')).toEqual(['free', 'fought']);
  expect(found('held', '')).toEqual(['held', 'fought', 'orphan']);
  expect(found('waited', '')).toEqual(['fought']);
  expect(countLocks(locks)).toMatchObject({ locks: 4, held: 3, waiters: 1, listeners: 0 });
  expect(countLocks(locks).oldestWait).toEqual({ source: 's', at: 1, isAtLeast: false });
  const listened = makeLock({ name: 'a', held: true, subscribers: 2 });
  expect(isLockShown(listened, 'waited', '')).toBe(true);
  expect(countLocks([listened])).toMatchObject({ waiters: 0, listeners: 2 });
});

test('a dead waiter that does not block the queue is presumed gone', () => {
  const dead = makeWaiter('d:1', { position: 4, presumedGone: true });
  expect(waiterText(dead, EN.lock, 'fair-lock', false)).toBe('presumed gone, still in the queue');
});
