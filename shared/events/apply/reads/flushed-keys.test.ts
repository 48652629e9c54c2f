import { expect, test } from 'vitest';
import { plusMillis, redisTime } from '../../../base/time.ts';
import type { KeyRead } from '../../../signals/signal.ts';
import { Interpreter } from '../../interpreter.ts';

const AT = redisTime(1_795_000_000_000_000);
const HOLDER = '0a000000-0000-4000-8000-000000000000:1';
const NO_KEY = { type: 'none', fields: {}, pttl: -2 };

/**
 * Level `events`: a read finds `there`, and the next one, `laterMs` later, finds no key. Returns the events of the
 * second read.
 */
function lost(there: Partial<KeyRead>, gone: Partial<KeyRead>, laterMs: number) {
  const interpreter = new Interpreter({ source: 'redis', hasCommands: false });
  const read = (part: Partial<KeyRead>): KeyRead => {
    return { db: 0, name: 'a', ...NO_KEY, hasChanged: false, subscribers: null, ...part };
  };
  interpreter.interpret({ kind: 'bookmark', at: AT, reads: [read(there)] });
  return interpreter.interpret({ kind: 'bookmark', at: plusMillis(AT, laterMs), reads: [read(gone)] });
}

const held = { type: 'hash', fields: { [HOLDER]: '1' }, pttl: 500 };
const semaphore = { type: 'string', pttl: -1, channel: 'redisson_sc:{a}', companions: { permits: ['3'] } };
const latch = {
  type: 'string',
  pttl: -1,
  channel: 'redisson_countdownlatch__channel__{a}',
  companions: { count: ['2'] },
};

test('[K8] a lock that a flush deleted did not expire, although its lease is over at the next read', () => {
  const events = lost(held, { isFlushed: true }, 800);
  expect(events).toMatchObject([{ type: 'db.flushed', holder: HOLDER, certainty: 'inferred' }]);
});

test('[K8] if a lease may have ended before the flush, the kind of its end is unknown', () => {
  const events = lost(held, { isFlushed: 'perhaps' }, 800);
  expect(events).toMatchObject([{ type: 'lock.released', holder: HOLDER, how: 'unknown', certainty: 'inferred' }]);
});

test.each([
  ['semaphore', semaphore, { ...semaphore, ...NO_KEY, companions: { permits: [] } }],
  ['latch', latch, { ...latch, ...NO_KEY, companions: { count: [] } }],
])(
  '[K8] a %s that a flush deleted is reported as flushed, and not as counted down or released',
  (kind, there, gone) => {
    expect(lost(there, { ...gone, isFlushed: true }, 800)).toMatchObject([
      { type: 'db.flushed', lock: 'a', kind, certainty: 'inferred' },
    ]);
  },
);
