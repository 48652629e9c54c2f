import { expect, test } from 'vitest';
import { eventsFromScripts, script } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import { goldensOfSeveral } from '../../testing/traces/read-trace.ts';
import { eventsFromTrace } from '../../testing/traces/trace-file.ts';
import type { LockEvent } from './event.ts';
import { Interpreter } from './interpreter.ts';
import { isGroupLockField, parseValueField } from './names/group-lock-names.ts';

const HOLDER = '0a000000-0000-4000-8000-000000000000:62';
const PEAR = 'NlaD37nKLsKPFWDg4Wzhog';
const NOW = seconds(0) / 1000;
const END = NOW + 1000;
/** The holder acquires a group lock with one value for a second. */
const TOOK = script(
  'a:1',
  'stock',
  `1000 ${NOW} ${HOLDER} ${PEAR}`,
  'exists stock',
  `hset stock ${PEAR} ${HOLDER}`,
  `hget stock ${PEAR}:${HOLDER}:expire_time`,
  `hset stock ${PEAR}:${HOLDER}:expire_time ${END}`,
  `HINCRBY stock ${PEAR}:${HOLDER}:lock_count 1`,
  'pexpire stock 1000',
);

function traced(version: string): LockEvent[] {
  const golden = goldensOfSeveral().find(({ folder, name }) => folder.endsWith(version) && name === 'group-lock');
  return golden ? eventsFromTrace(golden.trace(), golden.isPushFirst) : [];
}

test('[Q2] the hold of one value expires although the hash of the group lock still exists for other holders', () => {
  const expired = traced('4.7.0').find(({ type }) => type === 'lease.expired');
  expect(expired).toMatchObject({ certainty: 'inferred', values: [] });
  const refused = traced('4.7.0').filter((event) => event.type === 'unlock.refused');
  expect(refused.map((event) => 'reason' in event && event.reason)).toEqual(['not-owner', 'expired']);
});

test('[Q3] [H4] a release of a group lock is the cause of the message that it publishes', () => {
  const events = traced('4.7.0');
  const messages = events.filter(({ type }) => type === 'wakeup.published');
  expect(messages.length).toBeGreaterThan(0);
  for (const { seq, because } of messages) expect(because).toEqual([seq - 1]);
});

test('[Q4] the hold count of a value remains after its hold, so one unlock by the next hold leaves the value locked', () => {
  const last = traced('4.7.0')
    .filter(({ type }) => type === 'lock.partially-released')
    .at(-1);
  expect(last).toMatchObject({ holdCount: 1, values: [{ holdCount: 1 }] });
});

test('[Q5] a renewal of a group lock that stops at a released value has renewed the values before it', () => {
  const events = traced('3.43.0');
  const refused = events.findIndex(({ type }) => type === 'renewal.refused');
  expect(events[refused]).toMatchObject({ reason: 'no-lock' });
  expect(events[refused + 1]).toMatchObject({ type: 'lease.renewed', values: [{ holdCount: 1 }] });
});

test('[Q1] a read of a group lock reports the values of each holder, without expired values', () => {
  const end = (ms: number) => String(seconds(0) / 1000 + ms);
  const fields = {
    [PEAR]: HOLDER,
    [`${PEAR}:${HOLDER}:expire_time`]: end(20_000),
    [`${PEAR}:${HOLDER}:lock_count`]: '2',
    'Obc/DlI/H3SPnZeNiiq/AA': HOLDER,
    [`Obc/DlI/H3SPnZeNiiq/AA:${HOLDER}:expire_time`]: end(-5000),
    [`Obc/DlI/H3SPnZeNiiq/AA:${HOLDER}:lock_count`]: '1',
  };
  const read = {
    db: 0,
    name: 'stock',
    type: 'hash',
    pttl: 20_000,
    fields,
    subscribers: null,
    hasChanged: false,
  } as const;
  const events = new Interpreter({ source: 'read' }).interpret({ kind: 'bookmark', at: seconds(0), reads: [read] });
  expect(events).toMatchObject([
    {
      type: 'lock.found',
      kind: 'group-lock',
      holders: [{ holder: HOLDER, holdCount: 2, values: [{ value: PEAR, holdCount: 2 }] }],
    },
  ]);
});

const QUINCE = 'Obc/DlI/H3SPnZeNiiq/AA';

/** The events of reads at level `events`: each has its second, and the end of each value, in seconds. */
function eventsFromReads(...reads: readonly (readonly [at: number, ends: Readonly<Record<string, number>>])[]) {
  const interpreter = new Interpreter({ source: 'read', hasCommands: false });
  return reads.flatMap(([at, ends]) => {
    const fields = Object.entries(ends).flatMap(([value, end]) => [
      [value, HOLDER],
      [`${value}:${HOLDER}:expire_time`, String(seconds(end) / 1000)],
      [`${value}:${HOLDER}:lock_count`, '1'],
    ]);
    const pttl = (Math.max(...Object.values(ends)) - at) * 1000;
    const about = { db: 0, name: 'stock', type: 'hash', subscribers: null, hasChanged: at > 0 } as const;
    const read = { ...about, pttl, fields: Object.fromEntries(fields) };
    return interpreter.interpret({ kind: 'bookmark', at: seconds(at), reads: [read] });
  });
}

test('[Q2] [K3] without commands, a group lock that its watchdog renews does not expire at its first end', () => {
  const events = eventsFromReads(...[0, 10, 20, 30, 40].map((at) => [at, { [PEAR]: at + 30 }] as const));
  expect(events.map(({ type }) => type)).toEqual(['lock.found', ...Array(4).fill('lease.renewed')]);
  expect(events.at(-1)).toMatchObject({ holder: HOLDER, values: [{ value: PEAR, expiresAt: seconds(70) }] });
});

test('[Q2] without commands, a group lock that is read again after its known end and still held has not expired', () => {
  const events = eventsFromReads([0, { [PEAR]: 30 }], [30.5, { [PEAR]: 60 }]);
  expect(events.map(({ type }) => type)).toEqual(['lock.found', 'lease.renewed']);
});

test('[Q1] [K1] without commands, one value that is acquired or released is reported with those that are held then', () => {
  const events = eventsFromReads(
    [0, { [PEAR]: 30 }],
    [1, { [PEAR]: 30, [QUINCE]: 30 }],
    [2, { [QUINCE]: 30 }],
    [3, { [PEAR]: 30 }],
  );
  const values = (...names: string[]) => names.map((value) => expect.objectContaining({ value }));
  expect(events).toMatchObject([
    { type: 'lock.found', holders: [{ values: values(PEAR) }] },
    { type: 'lock.acquired', values: values(PEAR, QUINCE), certainty: 'inferred' },
    { type: 'lock.partially-released', values: values(QUINCE), certainty: 'inferred' },
    { type: 'lock.released', how: 'unknown' },
    { type: 'lock.acquired', values: values(PEAR) },
  ]);
});

test.each([
  [PEAR, 'not a holder', false],
  [PEAR, HOLDER, true],
  [`${PEAR}:${HOLDER}:lock_count`, '2', true],
  [`${PEAR}:${HOLDER}:lock_count`, 'two', false],
  [`${PEAR}:somebody:lock_count`, '2', false],
  ['session-id-of-22-signs!', HOLDER, false],
])('[S4] %s = %s is a field of a group lock: %s', (field, value, is) => {
  expect(isGroupLockField(field, value)).toBe(is);
});

test('the field of a value in a group lock contains its holder', () => {
  expect(parseValueField(`${PEAR}:${HOLDER}:expire_time`)).toEqual({ value: PEAR, holder: HOLDER, of: 'expire_time' });
});

test.each([['exists stock', `hget stock ${PEAR}`], ['exists stock']])(
  '[L10] a renewal without a holder is reported with its client (3.44.0 to 3.45.1): %s',
  (...ran) => {
    const empty = { by: 'a:1', words: ['EVAL', 'return 0', '1', 'stock', '1000', String(NOW), '', PEAR], ran };
    const [client] = HOLDER.split(':');
    const [acquired, renewal, ...others] = eventsFromScripts([TOOK, empty]);
    expect(acquired).toMatchObject({ type: 'lock.acquired' });
    expect(renewal).toMatchObject({ type: 'renewal.without-holder', lock: 'stock', client, leaseMs: 1000 });
    expect(others).toEqual([]);
  },
);

test('[L5] [H4] an unlock after the expiry is refused as expired, and its message is reported', () => {
  const channel = 'redisson_lock__channel:{stock}';
  const latch = `redisson_unlock_latch:{stock}:${'0'.repeat(32)}`;
  const unlock = `${HOLDER} 0 30000 PUBLISH 16000 ${END + 5000} ${PEAR}`;
  const late = script('a:1', `stock ${channel} ${latch}`, unlock, 'exists stock', `PUBLISH ${channel} 0`);
  const events = eventsFromScripts([TOOK, late], 6000);
  expect(events.map(({ type }) => type)).toEqual([
    ...['lock.acquired', 'lease.expired', 'unlock.refused', 'wakeup.published'],
  ]);
  expect(events[2]).toMatchObject({ reason: 'expired' });
});
