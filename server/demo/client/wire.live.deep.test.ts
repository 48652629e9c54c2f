import { afterEach, beforeEach, expect, test } from 'vitest';
import { groupsOf, inShort, withoutIds } from '../testing/groups.ts';
import { TestBed } from '../testing/test-bed.ts';

/*
 * The demo's clients must send what Redisson 4.7 sends: the same keys, channels, arguments and inner
 * commands, in the same order and spelling.
 */

const LOCK = 'orders:42';
const CHANNEL = 'redisson_lock__channel:{orders:42}';
let bed: TestBed;
beforeEach(async () => {
  bed = await TestBed.start();
});
afterEach(async () => {
  await bed.end();
});

const dels = (count: number) => () =>
  groupsOf(bed.tap.commands).filter(({ head }) => head[0] === 'DEL').length >= count;

test('every outcome runs the inner commands that docs/protocol.md lists', async () => {
  const a = await bed.client('a');
  await a.ask(1, 'lock', LOCK);
  await a.ask(1, 'lock', LOCK);
  await a.ask(2, 'tryLock', LOCK);
  await a.ask(2, 'unlock', LOCK);
  await a.ask(1, 'unlock', LOCK);
  await a.ask(1, 'unlock', LOCK);
  await a.ask(1, 'unlock', LOCK);
  await bed.tap.until(dels(4));
  await a.ask(1, 'lock', LOCK, { leaseMs: 30000 });
  await a.ask(3, 'forceUnlock', LOCK);
  await a.ask(3, 'forceUnlock', LOCK);

  const scripts = groupsOf(await bed.tap.caughtUp()).filter(({ inner }) => inner.length > 0);
  expect(scripts.map(inShort)).toEqual([
    'exists → hincrby → pexpire',
    'exists → hexists → hincrby → pexpire',
    'exists → hexists → pttl',
    'get → hexists',
    'get → hexists → hincrby → pexpire → set',
    'get → hexists → hincrby → del → PUBLISH → set',
    'get → hexists',
    'exists → hincrby → pexpire',
    'del → PUBLISH',
    'del',
  ]);
});

test('keys and arguments inside and outside the scripts are those in docs/protocol.md', async () => {
  const a = await bed.client('a');
  await a.ask(1, 'lock', LOCK, { leaseMs: 30000 });
  await a.ask(1, 'unlock', LOCK);
  await bed.tap.until(dels(1));
  const [acquire, release] = groupsOf(await bed.tap.caughtUp()).filter(({ inner }) => inner.length > 0);
  const plain = (words: string[] | undefined) => withoutIds((words ?? []).join(' '), { A: a.uuid });
  const LATCH = 'redisson_unlock_latch:{orders:42}:ID';

  expect(plain(acquire?.head.slice(2))).toBe('1 orders:42 30000 A:1');
  expect(acquire?.inner.map(plain)).toEqual(['exists orders:42', 'hincrby orders:42 A:1 1', 'pexpire orders:42 30000']);
  expect(plain(release?.head.slice(2))).toBe(`3 orders:42 ${CHANNEL} ${LATCH} 0 30000 A:1 PUBLISH LATCH-TTL`);
  expect(release?.inner.map(plain)).toEqual([
    `get ${LATCH}`,
    'hexists orders:42 A:1',
    'hincrby orders:42 A:1 -1',
    'del orders:42',
    `PUBLISH ${CHANNEL} 0`,
    `set ${LATCH} 1 px LATCH-TTL`,
  ]);
  const last = groupsOf(await bed.tap.caughtUp()).at(-1);
  expect(last?.head).toEqual(['DEL', release?.head[5]]);
});

test('a script that the server does not know is loaded once and then run by its hash', async () => {
  const a = await bed.client('a');
  await a.ask(1, 'lock', LOCK);
  await a.ask(1, 'lock', LOCK);
  expect(groupsOf(await bed.tap.caughtUp()).map(inShort)).toEqual([
    'EVALSHA unknown',
    'SCRIPT LOAD',
    'exists → hincrby → pexpire',
    'exists → hexists → hincrby → pexpire',
  ]);
});

test('two clients compete for a lock in the eight steps of docs/protocol.md', async () => {
  const [a, b] = [await bed.client('a'), await bed.client('b')];
  await a.ask(1, 'lock', LOCK);
  const waiting = b.ask(1, 'lock', LOCK);
  await b.reported('refused', (milestone) => 'attempt' in milestone && milestone.attempt === 2);
  await a.ask(1, 'unlock', LOCK);
  await waiting;
  await b.reported('unsubscribed');
  await b.ask(1, 'unlock', LOCK);
  await bed.tap.until(dels(2));

  const nameOf = (text: string) => (text.includes(a.uuid) ? 'A' : text.includes(b.uuid) ? 'B' : '');
  const lines = groupsOf(await bed.tap.caughtUp())
    .filter(({ head, inner }) => inner.length > 0 || /SUBSCRIBE/.test(head[0] ?? ''))
    .map((group) => `${nameOf(group.head.join(' '))} ${inShort(group)}`.trim());
  expect(lines).toEqual([
    'A exists → hincrby → pexpire',
    'B exists → hexists → pttl',
    `SUBSCRIBE ${CHANNEL}`,
    'B exists → hexists → pttl',
    'A get → hexists → hincrby → del → PUBLISH → set',
    'B exists → hincrby → pexpire',
    `UNSUBSCRIBE ${CHANNEL}`,
    'B get → hexists → hincrby → del → PUBLISH → set',
  ]);
});

test('threads of one process share one subscription, and one message wakes one of them', async () => {
  const [a, b] = [await bed.client('a'), await bed.client('b')];
  await a.ask(1, 'lock', LOCK);
  const first = b.ask(1, 'lock', LOCK);
  await b.reported(
    'refused',
    (milestone) => milestone.thread === 1 && 'attempt' in milestone && milestone.attempt === 2,
  );
  const second = b.ask(2, 'lock', LOCK);
  await b.reported(
    'refused',
    (milestone) => milestone.thread === 2 && 'attempt' in milestone && milestone.attempt === 2,
  );
  await a.ask(1, 'unlock', LOCK);
  await first;
  expect(b.milestones.filter((milestone) => milestone.thread === 2).map((milestone) => milestone.name)).toEqual([
    'refused',
    'refused',
  ]);
  expect(b.milestones.some((milestone) => milestone.name === 'unsubscribed')).toBe(false);
  await b.ask(1, 'unlock', LOCK);
  await second;
  await b.reported('unsubscribed');
  await b.ask(2, 'unlock', LOCK);

  const commands = await bed.tap.caughtUp();
  const subscriptions = commands.filter(({ words }) => /SUBSCRIBE/.test(words[0] ?? ''));
  expect(subscriptions.map(({ words }) => words[0])).toEqual(['SUBSCRIBE', 'UNSUBSCRIBE']);
  const attemptsOfThread2 = commands.filter(({ words }) => words[0] === 'EVALSHA' && words[5] === `${b.uuid}:2`);
  expect(attemptsOfThread2).toHaveLength(3);
});

test('locks with unusual names are acquired and released, and a hash tag stays in the name of the channel', async () => {
  const a = await bed.client('a');
  const names = ['tenant:{42}:orders', 'with "quotes" and \\', '锁:订单', '<b>bold</b>', 'x'.repeat(300), '‏שלום'];
  for (const name of names) {
    expect(await a.ask(1, 'lock', name)).toEqual({ ok: true, result: 'ok' });
    expect(await a.ask(1, 'unlock', name)).toEqual({ ok: true, result: 'ok' });
  }
  await a.ask(1, 'lock', 'tenant:{42}:orders');
  const waiting = a.ask(2, 'lock', 'tenant:{42}:orders');
  await a.reported(
    'subscribed',
    (milestone) => 'channel' in milestone && milestone.channel === 'redisson_lock__channel:tenant:{42}:orders',
  );
  await a.ask(1, 'unlock', 'tenant:{42}:orders');
  expect(await waiting).toEqual({ ok: true, result: 'ok' });
});
