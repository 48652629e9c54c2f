import { expect, test } from 'vitest';
import { seconds } from '../../../../testing/stories/story.ts';
import type { KeyRead, LineSignal } from '../../../signals/signal.ts';
import { decideOwnLocks } from '../../apply/tokens/own-locks.ts';
import { Interpreter } from '../../interpreter.ts';
import { tokenLockFrom } from '../../libraries/token-found.ts';
import { OwnLock } from './own-lock.ts';

/** An interpreter that gets plain commands and the replies of reads. */
function watched() {
  const interpreter = new Interpreter({ source: 'redis' });
  const doubts: string[] = [];
  const gone: string[] = [];
  interpreter.onDoubt = (key) => doubts.push(key.name);
  interpreter.keys.onEvicted = (key) => gone.push(key.name);
  return {
    interpreter,
    doubts,
    gone,
    offered: (at: number) => interpreter.ownLocks.at(seconds(at)).map(({ name }) => name),
    says(at: number, text: string, client = '10.0.0.1:1') {
      const head: LineSignal = { kind: 'line', at: seconds(at), db: 0, client, words: text.split(' ') };
      return interpreter.interpret({ kind: 'command', head, inner: [], pushes: [] });
    },
    reads(at: number, name: string, token: string, pttl = 29_800) {
      const companions = { token: [token] };
      const read: KeyRead = {
        ...{ db: 0, name, type: 'string', fields: {}, hasChanged: false, pttl, subscribers: null, companions },
      };
      return interpreter.interpret({ kind: 'bookmark', at: seconds(at), reads: [read] });
    },
  };
}

test('[T9] a key that SET NX writes with a lease is offered by its name, without events, if no known library uses it', () => {
  const { says, offered, doubts } = watched();
  expect(says(0, 'SET l token NX PX 30000')).toEqual([]);
  says(1, 'SET orders-lock 1 NX EX 30');
  expect(offered(2)).toEqual(['orders-lock', 'l']);
  expect(doubts).toEqual([]);
  for (const cache of ['seen:17 1 NX EX 60', 'seen:18 {"id":1} NX EX 60', 'page text EX 60', 'for:good token NX'])
    says(3, `SET ${cache}`);
  expect(offered(4)).toEqual(['orders-lock', 'l']);
  expect(offered(700)).toEqual([]);
});

test('[T9] once the user has own locks shown, a read reports the holder, and later attempts are events', () => {
  const { interpreter, says, reads, offered, doubts } = watched();
  says(0, 'SET l token NX PX 30000');
  decideOwnLocks(interpreter, { shown: true });
  expect([doubts, offered(0.1)]).toEqual([['l'], []]);
  expect(reads(0.2, 'l', 'token')).toMatchObject([
    { type: 'lock.acquired', lock: 'l', holder: 'token', kind: 'token-lock', leaseMs: 30_000, at: seconds(0) },
  ]);
  expect(says(1, 'SET l other NX PX 30000')).toMatchObject([{ type: 'lock.refused', holder: 'other' }]);
  expect(says(2, 'DEL l')).toMatchObject([{ type: 'lock.released', holder: 'token' }]);
  says(3, 'SET m worker-1 NX PX 30000');
  expect(reads(3.1, 'm', 'worker-1')).toMatchObject([{ type: 'lock.acquired', lock: 'm' }]);
});

test.each(['before', 'after'])(
  '[T9] a form that the user dismissed %s all own locks were shown is not shown',
  (when) => {
    const { interpreter, says, reads, offered } = watched();
    says(0, 'SET order:1 token NX PX 30000');
    says(0, 'SET bill:1 token NX PX 30000');
    const wishes = [{ name: 'order:1', isLock: false }, { shown: true }] as const;
    for (const wish of when === 'before' ? wishes : wishes.toReversed()) decideOwnLocks(interpreter, wish);
    says(1, 'SET order:2 other NX PX 30000');
    expect(reads(1.1, 'order:2', 'other')).toEqual([]);
    expect(['order:1', 'order:2', 'bill:1'].map((name) => interpreter.keys.find(0, name)?.name)).toEqual([
      ...[undefined, undefined, 'bill:1'],
    ]);
    expect(offered(2)).toEqual([]);
  },
);

test('[T9] if own locks are hidden again, they are forgotten and offered again', () => {
  const { interpreter, says, reads, offered, gone } = watched();
  says(0, 'SET l token NX PX 30000');
  decideOwnLocks(interpreter, { shown: true });
  reads(0.1, 'l', 'token');
  decideOwnLocks(interpreter, { shown: false });
  expect([gone, offered(0.2), interpreter.keys.find(0, 'l')]).toEqual([['l'], ['l'], undefined]);
  expect(says(1, 'SET l other NX PX 30000')).toEqual([]);
});

test('[T9] the newest 1000 own locks are offered; if --match selects the locks, no key is offered', () => {
  const { interpreter, says, offered } = watched();
  for (let n = 0; n < 1500; n++) says(n / 1000, `SET job-${n} token NX PX 30000`);
  expect([offered(2).length, offered(2)[0], interpreter.ownLocks.isMore]).toEqual([1000, 'job-1499', true]);
  const other = watched();
  other.interpreter.ownLocks.isOffered = false;
  other.says(0, 'SET l token NX PX 30000');
  expect(other.offered(1)).toEqual([]);
});

/** The own lock of these attempts; `by` is a letter for a connection. */
function ownAfter(name: string, ...did: readonly (readonly [atS: number, by: string, does: string])[]): OwnLock {
  const own = new OwnLock(0, name);
  for (const [at, letter, does] of did) {
    const by = `10.0.0.1:${letter.charCodeAt(0)}`;
    const [lease, expiresAt] = [{ setAt: seconds(at), ms: 4000 }, seconds(at + 4)];
    if (does === 'DEL') own.delete(seconds(at), by, () => false);
    else if (does === 'EXPIRE') own.prolong({ at: seconds(at), by, expiresAt });
    else own.try({ token: does, at: seconds(at), by, lease });
  }
  return own;
}

test('[T9] a leader that extends its key while another client attempts again holds a lock, even if both set words', () => {
  const tries = [0.5, 1.5, 2.5].map((at) => [at, 'b', 'pod-b'] as const);
  const leaderKey = ownAfter('scheduler:leader', [0, 'a', 'pod-a'], ...tries, [3, 'a', 'EXPIRE']);
  expect([leaderKey.isProbable, leaderKey.evidence]).toEqual([true, ['retried', 'renewed']]);
  const visitorKey = ownAfter('visitor:17', [0, 'a', 'on'], ...tries, [2.6, 'b', 'EXPIRE'], [3, 'a', 'EXPIRE']);
  expect(visitorKey.isProbable).toBe(false);
});

test('[T9] a client that polls the name of a lock with another value at each attempt shows that the key is probably a lock', () => {
  const polls = (name: string, everyS: number) =>
    ownAfter(name, [0, 'a', '1'], ...[1, 2, 3, 4, 5].map((n) => [n * everyS, 'b', `17959${n}`] as const));
  expect(polls('lock:report', 0.5).isProbable).toBe(true);
  expect(polls('sms:report', 0.5).isProbable).toBe(false);
});

test('[T9] a flag that a client polls and sets as soon as it is deleted is a lock, if that happens more than once', () => {
  const round = (at: number, one: string, other: string) =>
    [
      [at, one, 'running'],
      ...[0.2, 0.4, 0.6].map((later) => [at + later, other, 'running'] as const),
      [at + 1, one, 'DEL'],
    ] as const;
  expect(ownAfter('report:running', ...round(0, 'a', 'b'), ...round(1.1, 'b', 'a')).isProbable).toBe(false);
  const rounds = [...round(0, 'a', 'b'), ...round(1.1, 'b', 'a'), ...round(2.2, 'a', 'b')];
  expect(ownAfter('report:running', ...rounds).isProbable).toBe(true);
});

test('[T1] a token in quotes, or as Java serializes a string, is a token', () => {
  const uuid = '3f0c9a52-8d14-4d0e-9a37-0d9d1f0c2b11';
  for (const value of [`"${uuid}"`, `\\xac\\xed\0\x05t\0$${uuid}`]) {
    expect(ownAfter('lock:order', [0, 'a', value]).evidence).toEqual(['name', 'token']);
    expect(tokenLockFrom('lock:order', value, true, false)).toEqual({ library: undefined, isSure: false });
  }
  expect(ownAfter('lock:order', [0, 'a', `{"owner":"${uuid}"}`]).isData).toBe(true);
});

test('[T9] if a read finds another holder after the lease of an attempt, that attempt had acquired the lock', () => {
  const { interpreter, says, reads } = watched();
  const [one, other] = ['3f0c9a52-8d14-4d0e-9a37-0d9d1f0c2b11', '7be1c0de-51f2-4c1b-8f44-6a0c9d3e5f22'];
  says(0, `SET order:7 ${one} NX PX 2000`);
  for (const at of [0.2, 0.9, 1.8]) says(at, `SET order:7 ${other} NX PX 8000`, '10.0.0.2:1');
  expect(interpreter.keys.find(0, 'order:7')).toBeDefined(); // it is probably a lock, and is read
  says(2.1, `SET order:7 ${other} NX PX 8000`, '10.0.0.2:1');
  expect(reads(2.2, 'order:7', other, 7900).map((event) => `${event.type} ${event.at - seconds(0)}`)).toEqual([
    ...['lock.acquired 0', 'lock.refused 200000', 'lock.refused 900000', 'lock.refused 1800000'],
    ...['lease.expired 2000000', 'lock.acquired 2100000'],
  ]);
});
