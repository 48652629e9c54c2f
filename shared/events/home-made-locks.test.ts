import { expect, test } from 'vitest';
import {
  command,
  eventsAt,
  eventsFromScripts,
  type Sent,
  script,
  stepsAt,
} from '../../testing/stories/script-story.ts';
import { holderOf, reported, seconds } from '../../testing/stories/story.ts';
import { HIDDEN } from '../recording/redact/lock-words.ts';
import { redactCommand } from '../recording/redact/redact-command.ts';
import type { KeyRead } from '../signals/signal.ts';
import { Interpreter } from './interpreter.ts';
import { isTokenLike } from './libraries/token-libraries.ts';
import { parseHolder } from './names/names.ts';

const [WEB, JOBS] = ['10.0.0.1:1', '10.0.0.2:1'];
const [ONE, OTHER] = ['3f0c9a52-8d14-4d0e-9a37-0d9d1f0c2b11', '7be1c0de-51f2-4c1b-8f44-6a0c9d3e5f22'];
const types = (sent: readonly Sent[], everyMs?: number) => eventsFromScripts(sent, everyMs).map(({ type }) => type);

/** A re-entrant lock as tutorials write it: Redisson's hash, and a lease in seconds. */
const TUTORIAL = {
  lock: (by: string, holder: string) =>
    script(
      by,
      'lock:order',
      `${holder} 30`,
      'exists lock:order',
      `hincrby lock:order ${holder} 1`,
      'expire lock:order 30',
    ),
  lockAgain: (by: string, holder: string) =>
    script(
      by,
      'lock:order',
      `${holder} 30`,
      ...[
        'exists lock:order',
        `hexists lock:order ${holder}`,
        `hincrby lock:order ${holder} 1`,
        'expire lock:order 30',
      ],
    ),
  refused: (by: string, holder: string) =>
    script(by, 'lock:order', `${holder} 30`, 'exists lock:order', `hexists lock:order ${holder}`),
  renew: (by: string, holder: string) =>
    script(by, 'lock:order', `${holder} 30`, `hexists lock:order ${holder}`, 'expire lock:order 30'),
  unlock: (by: string, holder: string) =>
    script(
      by,
      'lock:order',
      holder,
      `hexists lock:order ${holder}`,
      `hincrby lock:order ${holder} -1`,
      'del lock:order',
    ),
  unlockLate: (by: string, holder: string) => script(by, 'lock:order', holder, `hexists lock:order ${holder}`),
};

test("[L1] an application's own scripts on a hash of holders are not Redisson's", () => {
  const [a, b] = [holderOf('A'), holderOf('B')];
  const events = eventsFromScripts([
    ...[TUTORIAL.lock(WEB, a), TUTORIAL.lockAgain(WEB, a), TUTORIAL.refused(JOBS, b), TUTORIAL.renew(WEB, a)],
    ...[TUTORIAL.unlock(WEB, a), TUTORIAL.lock(JOBS, b), TUTORIAL.unlock(JOBS, b)],
  ]);
  expect(events.map(({ type, kind }) => `${type} ${kind}`)).toEqual(
    ['acquired', 'reentered', 'refused', 'renewed', 'released', 'acquired', 'released'].map((did) =>
      did === 'renewed' ? 'lease.renewed lock' : `lock.${did} lock`,
    ),
  );
  expect(events[0]).toMatchObject({ library: 'unknown', leaseMs: 30_000 });
  expect(events[2]).toMatchObject({ reason: 'held', holder: b });
});

test('[L1] an unlock of an application’s own hash lock is refused after the end of its lease', () => {
  const [a, b] = [holderOf('A'), holderOf('B')];
  const events = eventsAt([
    { sent: TUTORIAL.lock(WEB, a), atMs: 0 },
    { sent: TUTORIAL.unlockLate(JOBS, b), atMs: 1000 },
    { sent: TUTORIAL.lock(JOBS, b), atMs: 31_000 },
    { sent: TUTORIAL.unlockLate(WEB, a), atMs: 32_000 },
  ]);
  expect(events.map(({ type }) => type)).toEqual([
    ...['lock.acquired', 'lease.expired', 'lock.acquired', 'unlock.refused'],
  ]);
  expect(events.at(-1)).toMatchObject({ holder: a, reason: 'expired' });
});

test('[T9] scripts on a hash with holders of an unknown form are reported as locks that are not understood', () => {
  const formsOf = (...sent: Sent[]) => {
    const interpreter = new Interpreter({ source: 'story' });
    for (const { by, words, ran = [] } of sent) {
      const line = (client: string | null, words: readonly string[]) =>
        ({ kind: 'line', at: seconds(0), db: 0, client, words }) as const;
      const inner = ran.map((text) => line(null, text.split(' ')));
      interpreter.interpret({ kind: 'command', head: line(by, words), inner, pushes: [] });
    }
    return interpreter.strangeLocks.at(seconds(1));
  };
  const holder = 'web-1:main';
  expect(formsOf(TUTORIAL.unlock(WEB, holder))).toEqual([{ form: 'hash-field', count: 1, newest: 'lock:order' }]);
  expect(formsOf(TUTORIAL.lock(WEB, holder))).toHaveLength(1);
  const nonce = script(WEB, `lock:order ${holder}`, '5000', 'hget lock:order nonce', `hset lock:order nonce ${holder}`);
  expect(formsOf({ ...nonce, ran: [...(nonce.ran ?? []), 'pexpire lock:order 5000'] })).toHaveLength(1);
  const visits = script(WEB, 'visits', 'u1 60', 'exists visits', 'hincrby visits u1 1', 'expire visits 60');
  expect(formsOf(visits)).toEqual([]);
  const owner = script(WEB, 'lock:order', `${holder} 5000`, 'exists lock:order', `hset lock:order owner ${holder}`);
  const withLease = { ...owner, ran: [...(owner.ran ?? []), 'pexpire lock:order 5000'] };
  expect(formsOf(withLease)).toEqual([{ form: 'hash-field', count: 1, newest: 'lock:order' }]);
  const inField = (text: string) => formsOf(command(WEB, text));
  expect(inField('HSETEX orders FNX PX 5000 FIELDS 1 lock:42 web-1')).toEqual([
    { form: 'hash-field', count: 1, newest: 'orders' },
  ]);
  expect(inField('HSETEX orders FNX PX 5000 FIELDS 1 42 web-1')).toEqual([]);
  expect(inField('HSETEX orders FNX PX 5000 FIELDS 1 42 lock:web-1')).toEqual([]);
  expect(inField('HSETEX orders PX 5000 FNX FIELDS 1 lock:42 web-1')).toHaveLength(1);
  expect(inField('HSETEX lock:settings PX 5000 FIELDS 1 owner web-1')).toEqual([]);
});

test('[T3] a lock is the same whether a script gets its key among the keys or among the arguments', () => {
  const take = (by: string, token: string) => command(by, `SET lock:order ${token} NX PX 5000`);
  const release = (by: string, token: string, words: string, ...ran: string[]): Sent => ({
    by,
    words: ['EVALSHA', 'e'.repeat(40), ...words.split(' '), token],
    ran: ['get lock:order', ...ran],
  });
  for (const words of ['0 lock:order', '2 lock:order']) {
    expect(
      reported(
        eventsFromScripts([
          ...[take(WEB, ONE), take(JOBS, OTHER), take(JOBS, OTHER), take(JOBS, OTHER)],
          release(WEB, ONE, words, 'del lock:order'),
          release(WEB, ONE, words),
        ]),
      ).filter((event) => /released|unlock/.test(event)),
    ).toEqual([expect.stringContaining('lock.released'), expect.stringContaining('unlock.refused')]);
  }
});

test('[T2] a number is the token of a lock if an attempt has set it', () => {
  const take = (by: string, token: string) => command(by, `SET lock:order ${token} NX PX 2000`);
  const compare = (by: string, token: string, ...ran: string[]) =>
    script(by, 'lock:order', token, 'get lock:order', ...ran);
  const sent = [
    { sent: take(WEB, '4711'), atMs: 0 },
    { sent: compare(WEB, '4711', 'del lock:order'), atMs: 100 },
    { sent: take(WEB, '4711'), atMs: 200 },
    { sent: take(JOBS, '815'), atMs: 300 },
    { sent: take(JOBS, '815'), atMs: 2300 },
    { sent: compare(WEB, '4711'), atMs: 3000 },
    { sent: compare(JOBS, '815', 'del lock:order'), atMs: 3500 },
  ];
  const events = eventsAt(sent).map((event) => `${event.type} ${'holder' in event && event.holder}`);
  expect(events).toEqual([
    ...['lock.acquired 4711', 'lock.released 4711', 'lock.acquired 4711', 'lock.refused 815', 'lease.expired 4711'],
    ...['lock.acquired 815', 'unlock.refused 4711', 'lock.released 815'],
  ]);
  expect(types([compare(WEB, '7', 'del lock:order')])).toEqual([]); // RAtomicLong.compareAndDelete
});

test('[T4] a release that compares only the owner inside a JSON value belongs to the token with that owner', () => {
  const [web, jobs] = ['{"owner":"web-1","at":1795}', '{"owner":"jobs-1","at":1796}'];
  const take = (by: string, token: string) => command(by, `SET lock:order ${token} NX PX 9000`);
  const release = (by: string, owner: string) => script(by, 'lock:order', owner, 'get lock:order', 'del lock:order');
  const round = [take(WEB, web), take(JOBS, jobs), release(WEB, 'web-1'), take(JOBS, jobs), release(JOBS, 'jobs-1')];
  const events = eventsFromScripts([...round, ...round]);
  const held = events
    .filter(({ type }) => type !== 'lock.refused')
    .map((event) => `${event.type} ${'holder' in event && event.holder}`);
  const oneRound = [web, jobs].flatMap((token) => [`lock.acquired ${token}`, `lock.released ${token}`]);
  expect(held).toEqual([...oneRound, ...oneRound]);
});

test('[L7] if several clients set the same word, the client that sends EXPIRE holds the lock', () => {
  const interpreter = new Interpreter({ source: 'story' });
  const says = (by: string, text: string, at: number) => {
    const head = { kind: 'line', at: seconds(at), db: 0, client: by, words: text.split(' ') } as const;
    return interpreter.interpret({ kind: 'command', head, inner: [], pushes: [] });
  };
  says(WEB, 'SETNX lock:order 1', 0);
  says(JOBS, 'SETNX lock:order 1', 0.01);
  says(WEB, 'EXPIRE lock:order 5', 0.02);
  const read = {
    ...{ db: 0, name: 'lock:order', type: 'string', fields: {}, hasChanged: false, pttl: 4900, subscribers: null },
    companions: { token: ['1'] },
  } as const;
  const events = interpreter.interpret({ kind: 'bookmark', at: seconds(0.12), reads: [read] });
  expect(events).toMatchObject([{ type: 'lock.acquired', by: WEB, leaseMs: 5000 }]);
  expect(says(WEB, 'DEL lock:order', 1)).toMatchObject([{ type: 'lock.released' }]);
});

test('[T5] a client that deletes a lock after its own lease deletes the hold of the next client, even if both set the same word', () => {
  const take = (by: string) => command(by, 'SET lock:order locked NX PX 2000');
  const remove = (by: string) => command(by, 'DEL lock:order');
  const known = [
    { sent: take(WEB), atMs: 0 },
    { sent: remove(WEB), atMs: 100 },
  ];
  const late = eventsAt([
    ...known,
    { sent: take(WEB), atMs: 200 },
    { sent: take(JOBS), atMs: 2300 },
    { sent: remove(WEB), atMs: 3000 },
  ]);
  expect(late.slice(-3)).toMatchObject([
    { type: 'lease.expired' },
    { type: 'lock.acquired', by: JOBS },
    { type: 'lock.deleted', by: WEB, holder: 'locked', late: 'locked' },
  ]);
  const inTime = eventsAt([...known, { sent: take(JOBS), atMs: 200 }, { sent: remove(JOBS), atMs: 300 }]);
  expect(inTime.slice(-2)).toMatchObject([{ type: 'lock.acquired', by: JOBS }, { type: 'lock.released' }]);
});

test('the holder id of node-redisson is the uuid of its client and the uuid of its lock object', () => {
  const [a, b] = [`${ONE}:${OTHER}`, `${OTHER}:${ONE}`];
  const attempt = (by: string, holder: string, ...ran: string[]) =>
    script(by, 'order', `30000 ${holder}`, 'exists order', ...ran);
  const events = eventsFromScripts([
    attempt(WEB, a, `hincrby order ${a} 1`, 'pexpire order 30000'),
    attempt(JOBS, b, `hexists order ${b}`, 'pttl order'),
    script(WEB, 'order', `30000 ${a}`, `hexists order ${a}`, 'pexpire order 30000'),
    script(
      WEB,
      `order redisson_lock__channel:{order} redisson_unlock_latch:{order}:${ONE}`,
      `0 30000 ${a} 16000`,
      ...[`get redisson_unlock_latch:{order}:${ONE}`, `hexists order ${a}`, `hincrby order ${a} -1`, 'del order'],
      ...['publish redisson_lock__channel:{order} 0', `set redisson_unlock_latch:{order}:${ONE} 1 px 16000`],
    ),
  ]);
  const reportedHolders = events.map((event) => `${event.type} ${'holder' in event ? event.holder : ''}`.trim());
  expect(reportedHolders.slice(0, 4)).toEqual([
    ...[`lock.acquired ${a}`, `lock.refused ${b}`, `lease.renewed ${a}`, `lock.released ${a}`],
  ]);
  expect(parseHolder(a)).toEqual({ client: ONE, thread: OTHER.slice(0, 8) });
});

test('a waiter of node-redisson that unsubscribes at a message has not given up: its attempt follows', () => {
  const [a, b] = [`${ONE}:${OTHER}`, `${OTHER}:${ONE}`];
  const channel = 'redisson_lock__channel:{order}';
  const refused = script('b:1', 'order', `30000 ${b}`, 'exists order', `hexists order ${b}`, 'pttl order');
  const events = eventsFromScripts([
    script('a:1', 'order', `30000 ${a}`, 'exists order', `hincrby order ${a} 1`, 'pexpire order 30000'),
    ...[refused, command('b:2', `SUBSCRIBE ${channel}`), refused],
    script(
      'a:1',
      `order ${channel}`,
      `0 30000 ${a}`,
      `hexists order ${a}`,
      `hincrby order ${a} -1`,
      'del order',
      `publish ${channel} 0`,
    ),
    command('b:2', `UNSUBSCRIBE ${channel}`),
    script('b:1', 'order', `30000 ${b}`, 'exists order', `hincrby order ${b} 1`, 'pexpire order 30000'),
  ]);
  expect(events.map(({ type }) => type)).not.toContain('waiter.dequeued');
  expect(events.at(-1)).toMatchObject({ type: 'lock.acquired', holder: b, waitedMs: expect.any(Number) });
});

test('[T1] a random token without a digit is recognised as a token', () => {
  expect(['ySVcTaGvZUviYxctbP+csL', 'kJyhOuqREJspDUsJxVkLpQ'].map(isTokenLike)).toEqual([true, true]);
  const words = ['pool.OrderThread.Main', 'com.example.OrderLockHolder', 'ALLUPPERCASEWORDS', 'all-lower-case-words'];
  expect(words.map(isTokenLike)).toEqual([false, false, false, false]);
});

test('[W18] a client that got one slot of a limiter no longer waits for the other slots', () => {
  const [one, two, three] = ['1', '2', '3'].map((n) => `aB3dE5gH7jK9mN1pQ3s${n}`) as [string, string, string];
  const ask = (atMs: number, by: string, slot: number, token: string) => {
    return { atMs, sent: command(by, `SET app:lock:export${slot} ${token} EX 60 NX`) };
  };
  const release = (atMs: number, by: string, slot: number, token: string) => {
    const key = `app:lock:export${slot}`;
    return { atMs, sent: script(by, key, token, `get ${key}`, `del ${key}`) };
  };
  const known = [1, 2].flatMap((slot) => [ask(0, WEB, slot, one), release(1, WEB, slot, one)]);
  const events = eventsAt([
    ...[...known, ask(100, WEB, 1, one), ask(101, JOBS, 1, two), ask(102, JOBS, 2, two)],
    ...[0, 250, 500].flatMap((ms) => [ask(110 + ms, 'c', 1, three), ask(111 + ms, 'c', 2, three)]),
    ...[release(700, WEB, 1, one), ask(860, 'c', 1, three)],
  ]);
  const hasThirdToken = (event: (typeof events)[number]) => 'holder' in event && event.holder === three;
  expect(events.filter(hasThirdToken).slice(-2)).toMatchObject([
    { type: 'waiter.dequeued', lock: 'app:lock:export2', reason: 'gave-up' },
    { type: 'lock.acquired', lock: 'app:lock:export1' },
  ]);
});

test('[L1] a hash in which a plain command wrote the holder is not a lock of Redisson', () => {
  const holder = 'd14d167a-8471-41a0-a0d1-e858687fe251:17';
  const found = (...sent: Sent[]) => {
    const interpreter = new Interpreter({ source: 'story' });
    const steps = stepsAt(sent.map((each) => ({ sent: each, atMs: 0 })));
    const read: KeyRead = {
      ...{
        db: 0,
        name: 'active',
        type: 'hash',
        fields: { [holder]: '1' },
        hasChanged: false,
        pttl: 9000,
        subscribers: 0,
      },
    };
    return [...steps, { kind: 'bookmark', at: seconds(1), reads: [read] } as const].flatMap((step) =>
      interpreter.interpret(step),
    );
  };
  for (const plain of [`HSET active ${holder} 1`, `HINCRBY active ${holder} 1`]) {
    expect(found(command('a:1', plain))).toMatchObject([{ type: 'lock.found', library: 'unknown' }]);
    const [step] = stepsAt([{ sent: command('a:1', `${plain} secret`), atMs: 0 }]);
    const kept = step && redactCommand(step, () => false, false);
    expect(kept?.head.words).toEqual([...plain.split(' '), HIDDEN]);
  }
  const [event] = found(command('a:1', 'HSET active visits 1'));
  expect(event).toMatchObject({ type: 'lock.found' });
  expect(event).not.toHaveProperty('library');
});
