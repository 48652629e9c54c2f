import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../../shared/events/event.ts';
import { makeEvent } from '../testing/make.ts';
import { EN } from '../words/en.ts';
import { ZH_CN } from '../words/zh-CN.ts';
import { detailFromEvent } from './event-words.ts';

test.each([
  [{ type: 'lock.acquired', mode: 'exclusive', holdCount: 1, leaseMs: 6000 }, 'lease 6 s'],
  [
    { type: 'lock.acquired', mode: 'read', leaseMs: 6000, wokenBy: 'message', waitedMs: 4500 },
    'to read, lease 6 s, woken by message, waited 4.5 s',
  ],
  [
    { type: 'lock.acquired', mode: 'exclusive', leaseMs: 6000, waitedMs: 4500, waitedAtLeast: true },
    'lease 6 s, waited at least 4.5 s',
  ],
  [{ type: 'lock.reentered', mode: 'exclusive', holdCount: 2, leaseMs: 30_000 }, 'holds ×2, lease 30 s'],
  [{ type: 'lock.learned', mode: 'read', holdCount: 1, leaseMs: 6000, expiresAt: 7 }, 'to read, holds ×1, lease 6 s'],
  [{ type: 'lock.learned', holdCount: 1, expiresAt: null }, 'holds ×1, no lease'],
  [{ type: 'lock.refused', mode: 'exclusive', ttlMs: 5500, attempt: 1, asleep: false }, '5.5 s left'],
  [
    { type: 'lock.refused', mode: 'exclusive', ttlMs: 5500, attempt: 2, asleep: true },
    '5.5 s left, attempt 2, sleeps now',
  ],
  [{ type: 'lock.refused', mode: 'exclusive', ttlMs: null, attempt: 2 }, 'held, time left unknown, attempt 2'],
  [{ type: 'lock.refused', mode: 'exclusive', ttlMs: null, attempt: 1, reason: 'error' }, 'got an error'],
  [{ type: 'lock.partially-released', mode: 'exclusive', holdCount: 1 }, 'still holds ×1'],
  [{ type: 'lock.released', mode: 'exclusive', holdCount: 0 }, 'freed'],
  [
    { type: 'lock.released', mode: 'exclusive', holdCount: 0, how: 'unknown', command: 'DEL' },
    'its key was deleted by DEL, by its holder or another client (not known which)',
  ],
  [{ type: 'lease.renewed', cause: 'watchdog', leaseMs: 6000 }, 'lease renewed to 6 s'],
  [
    { type: 'lease.renewed', cause: 'command', expiresAt: null },
    'lease has no end now, set by a command, not by a watchdog',
  ],
  [{ type: 'lease.renewed', cause: 'watchdog', leaseMs: 6000, batch: 3 }, 'lease renewed to 6 s, one of 3 in a batch'],
  [
    { type: 'lease.shortened', cause: 'command', hadNoEnd: true, leaseMs: 20_000 },
    'had no lease, now 20 s, set by a command, not by a watchdog',
  ],
  [
    { type: 'unlock.refused', reason: 'no-lock', callerSawSuccess: true },
    'no client holds the lock, but its caller saw success',
  ],
  [{ type: 'unlock.refused', mode: 'permit', reason: 'no-lock' }, 'its permit is not there'],
  [{ type: 'renewal.refused', mode: 'permit', reason: 'no-lock' }, 'its permit is not there'],
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
])('the event %j has the text %j', (part, words) => {
  expect(detailFromEvent(makeEvent(1, part), EN)).toBe(words);
});

test.each([
  ['English', EN],
  ['Chinese', ZH_CN],
])('in %s, no two event types have the same word', (_, language) => {
  const words = EVENT_TYPES.map((type) => language.events.type[type]);
  expect(new Set(words).size).toBe(EVENT_TYPES.length);
});
