import { expect, test } from 'vitest';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { command, eventsAt, eventsFromScripts, type Sent, script } from '../../testing/stories/script-story.ts';
import { holderOf, reported, seconds, story } from '../../testing/stories/story.ts';
import { goldens } from '../../testing/traces/read-trace.ts';
import { eventsFromTrace } from '../../testing/traces/trace-file.ts';
import { denseRunsFromEvents } from '../spans/dense-runs.ts';
import { waitsFromEvents } from '../spans/waits-from-events.ts';

const SPUN = `
    orders:42 lease 30s
    0.000  A attempts acquired
    0.100  A releases quietly
    1.000  A attempts acquired
`;
const POLLS = Array.from({ length: 8 }, (_, n) => `${(2 + n * 0.12).toFixed(3)}  B attempts refused`).join('\n');

test('[P1] an unlock without a channel shows a spin lock', () => {
  const events = story(SPUN);
  expect(reported(events)).toEqual(['lock.acquired A ×1', 'lock.learned', 'lock.released A ×0', 'lock.acquired A ×1']);
  expect(events.map(({ kind }) => kind)).toEqual(['lock', 'spin-lock', 'spin-lock', 'spin-lock']);
});

test.each([
  ['51b433c3cc9a6ca991b3aefec63d23490c246318', 'spin-lock', 'lock.force-released'],
  ['f'.repeat(40), 'lock', 'lock.deleted'],
])(
  '[P1] [H6] a script with the SHA %s that deletes its only key shows a %s and is reported as %s',
  (sha, kind, type) => {
    const lines = ['exists a', `hincrby a ${holderOf('A')} 1`, 'pexpire a 30000'];
    const deletes = script('ops', 'a', '', 'del a');
    const events = eventsFromScripts([
      script('a', 'a', `30000 ${holderOf('A')}`, ...lines),
      { ...deletes, words: deletes.words.with(1, sha) },
    ]);
    expect(events.at(-1)).toMatchObject({ kind, type, by: 'ops' });
  },
);

test('[P2] a thread that polls is one waiter that does not sleep, and one dense run', () => {
  const events = story(`${SPUN}${POLLS}`);
  expect(denseRunsFromEvents(events)).toMatchObject([{ holder: holderOf('B'), attempts: 8 }]);
  expect(lockAt(events, seconds(3)).waiters).toMatchObject([
    { id: holderOf('B'), attempts: 8, isAsleep: false, isConfirmed: true, deadline: null },
  ]);
});

test('[P2] a thread still polls after a pause of about a second, but one attempt a second is not a poll', () => {
  const events = story(`${SPUN}${POLLS}
    4.000  B attempts refused
    4.120  B attempts refused
    4.900  A releases quietly
    4.960  B attempts acquired
  `);
  expect(waitsFromEvents(events)).toMatchObject([{ holder: holderOf('B'), attempts: 10, ended: 'acquired' }]);
  const tries = story(`${SPUN}2.000 B attempts refused\n3.000 B attempts refused\n4.000 B attempts refused`);
  expect(tries.flatMap((event) => (event.type === 'lock.refused' ? [event.attempt] : []))).toEqual([1, 1, 1]);
});

test('[P3] an acquisition after a poll names the release without a message as its cause', () => {
  const events = story(`${SPUN}${POLLS}
    2.900  A releases quietly
    2.960  B attempts acquired
  `);
  const release = events.findLast(({ type }) => type === 'lock.released');
  expect(events.at(-1)).toMatchObject({ type: 'lock.acquired', because: [release?.seq], waitedMs: 959.999 });
  expect(events.at(-1)).not.toHaveProperty('wokenBy');
  expect(waitsFromEvents(events)).toMatchObject([{ holder: holderOf('B'), attempts: 8, ended: 'acquired' }]);
});

test('[P4] a poller that stops is presumed gone', () => {
  const events = story(`${SPUN}${POLLS}
    6.000  - command PING
  `);
  expect(reported(events).at(-1)).toBe('waiter.dequeued B presumed-gone (inferred)');
});

test('[P4] [W7] a poller whose client is gone is presumed gone with it', () => {
  const events = story(`${SPUN}${POLLS}
    3.000  - lists A B
    4.000  - lists A
  `);
  expect(reported(events).slice(-2)).toEqual([
    'client.gone B (inferred)',
    'waiter.dequeued B presumed-gone (inferred)',
  ]);
  expect(events.at(-1)?.because).toContain(events.at(-2)?.seq);
  expect(lockAt(events, seconds(61)).waiters).toMatchObject([{ id: holderOf('B'), presumedGoneAt: seconds(4) }]);
});

test.each(['3.16.8', '3.27.2', '3.46.0', '4.7.0'])(
  '[P1] %s: a real client’s spin lock is recognised and publishes no message',
  (version) => {
    const golden = goldens().find(({ folder, name }) => folder === `redisson-${version}` && name === 'spin');
    const events = golden ? eventsFromTrace(golden.trace(), golden.isPushFirst) : [];
    expect(events.at(-1)).toMatchObject({ kind: 'spin-lock', type: 'lock.released' });
    expect(events.filter(({ type }) => type === 'wakeup.published')).toEqual([]);
  },
);

const SPIN_SCRIPT = 'dad0f8d619e548e04f21fb48d50be5034df3adae';
const RENEWAL_OF_3_44 = '6a3d31570dc6f4b0bd32bcdc8e75667747c6f635';
const PLAIN_OF_3_12 = '3ffe249c16dee540ac8ab32e39bd408626b9aff7';

/** An attempt of an actor at `atMs`, with the script that spin locks use. */
function attempt(actor: string, atMs: number, isRefused: boolean): { sent: Sent; atMs: number } {
  const ran = isRefused
    ? ['exists a', `hexists a ${holderOf(actor)}`, 'pttl a']
    : ['exists a', `hincrby a ${holderOf(actor)} 1`, 'pexpire a 30000'];
  return { sent: bySha(SPIN_SCRIPT, script(`10.0.0.1:${actor}`, 'a', `30000 ${holderOf(actor)}`, ...ran)), atMs };
}

function bySha(sha: string, sent: Sent): Sent {
  return { ...sent, words: sent.words.with(1, sha) };
}

/** When a client attempts, in ms, as measured: the pauses between its attempts double up to 128 ms. */
const BACK_OFF = [0, 5, 8, 13, 24, 49, 96, 192, 322];
const taken = attempt('A', 0, false);
const polls = (times: readonly number[]) => times.map((ms) => attempt('B', 100 + ms, true));

test('[P5] attempts with back-off show a spin lock and its waiter before the first release', () => {
  const events = eventsAt([taken, ...polls(BACK_OFF)]);
  expect(events.find(({ type }) => type === 'lock.learned')).toMatchObject({
    kind: 'spin-lock',
    certainty: 'inferred',
  });
  const refused = events.flatMap((event) => (event.type === 'lock.refused' ? [event.attempt] : []));
  expect(refused).toEqual([1, 1, 1, 1, 1, 6, 7, 8, 9]);
  expect(lockAt(events, seconds(1)).waiters).toMatchObject([{ id: holderOf('B'), attempts: 9, isConfirmed: true }]);
});

test('[P5] a thread that has polled since before watching began is a waiter of a spin lock', () => {
  const events = eventsAt(polls([0, 130, 259, 389, 519, 650, 780, 910]));
  expect(events.map(({ kind }) => kind).lastIndexOf('lock')).toBeLessThan(events.length - 3);
  expect(events.find(({ type }) => type === 'lock.learned')).toMatchObject({
    kind: 'spin-lock',
    certainty: 'inferred',
  });
  expect(lockAt(events, seconds(2)).waiters).toMatchObject([
    { id: holderOf('B'), attempts: 8, isConfirmed: true, isOlder: true },
  ]);
});

test('[P5] two refused attempts with the longest pause between them show a waiter from before watching began, but not yet the kind', () => {
  const waitersOf = (...times: number[]) => lockAt(eventsAt([taken, ...polls(times)]), seconds(2)).waiters;
  const older = { id: holderOf('B'), isConfirmed: true, isOlder: true, isAsleep: false, deadline: null };
  expect(waitersOf(0)).toMatchObject([{ attempts: 1, isConfirmed: false }]);
  expect(waitersOf(0, 130)).toMatchObject([{ ...older, attempts: 2, since: seconds(0.1) }]);
  expect(new Set(eventsAt([taken, ...polls([0, 130])]).map(({ kind }) => kind))).toEqual(new Set(['lock']));
  // Another pause shows a loop of tryLock(): each attempt is a call.
  expect(waitersOf(0, 130, 330)).toMatchObject([{ attempts: 1, isConfirmed: false }]);
});

test('[P2] a thread that has polled a known spin lock since before watching began has waited at least since then', () => {
  const waitersOf = (first: number, pause: number) => {
    const gap = '1.900 - loses sight\n1.950 - sees again';
    const polled = `${first} B attempts refused\n${first + pause} B attempts refused`;
    return lockAt(story(`${SPUN} ${gap}\n${polled}`), seconds(4)).waiters;
  };
  const older = [{ attempts: 2, isConfirmed: true, isOlder: true }];
  expect(waitersOf(2, 0.128)).toMatchObject(older);
  expect(waitersOf(2, 0.064)).toMatchObject(older); // a client with a constant pause
  expect(waitersOf(2, 0.2)).toMatchObject(older); // a busy machine
  // the poll has just begun: an earlier attempt would have been seen
  for (const [first, pause] of [
    [2, 0.004],
    [2.2, 0.128],
  ] as const) {
    expect(waitersOf(first, pause)).toMatchObject([{ attempts: 2, isConfirmed: true }]);
    expect(waitersOf(first, pause)[0]?.isOlder).toBeUndefined();
  }
});

test('[P5] repeated tryLock() calls with other pauses do not show a spin lock', () => {
  const everyFewMs = polls([0, 11, 20, 31, 40, 52, 61, 72, 80, 92, 101, 201, 302, 404, 505, 606, 708, 810]);
  const events = eventsAt([taken, ...everyFewMs]);
  expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['lock']));
  const listening = { sent: command('10.0.0.1:1', 'SUBSCRIBE redisson_lock__channel:{a}'), atMs: 101 };
  const waiting = eventsAt([taken, attempt('B', 100, true), listening, ...polls(BACK_OFF.map((ms) => ms + 2))]);
  expect(new Set(waiting.map(({ kind }) => kind))).toEqual(new Set(['lock']));
});

test('[P5] a client of 3.19 or newer that acquires with the spin lock script has a spin lock', () => {
  const renewal = script('A', 'b', `30000 ${holderOf('A')}`, `hexists b ${holderOf('A')}`, 'pexpire b 30000');
  const events = eventsAt([
    { sent: bySha(RENEWAL_OF_3_44, renewal), atMs: 0 },
    { ...taken, atMs: 10 },
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'lock.acquired', lock: 'a', kind: 'spin-lock' });
  const older = script('A', 'b redisson_lock__channel:{b}', `0 30000 ${holderOf('A')}`, `hexists b ${holderOf('A')}`);
  expect(
    eventsAt([
      { sent: bySha(PLAIN_OF_3_12, older), atMs: 0 },
      { ...taken, atMs: 10 },
    ]).at(-1)?.kind,
  ).toBe('lock');
});

test('[P5] a release with a channel shows that an assumed spin lock is a plain lock', () => {
  const release = script(
    'A',
    'a redisson_lock__channel:{a}',
    `0 30000 ${holderOf('A')}`,
    ...[`hexists a ${holderOf('A')}`, `hincrby a ${holderOf('A')} -1`, 'del a', 'publish redisson_lock__channel:{a} 0'],
  );
  const events = eventsAt([taken, ...polls(BACK_OFF), { sent: release, atMs: 1000 }]);
  expect(events.slice(-3)).toMatchObject([
    { type: 'lock.learned', kind: 'lock', kindBefore: 'spin-lock' },
    { type: 'lock.released', kind: 'lock' },
    { type: 'wakeup.published', kind: 'lock' },
  ]);
});
