import { expect, test } from 'vitest';
import { redisTime } from '../../base/time.ts';
import type { LineSignal, PushSignal } from '../../signals/signal.ts';
import { Interpreter } from '../interpreter.ts';

const HOLDER = '0a000000-0000-4000-8000-000000000000:1';
const AT = redisTime(1_795_000_000_000_000);

/** A held lock, and the events of an operator's command on it. */
function held() {
  const interpreter = new Interpreter({ source: 'redis' });
  const doubts: string[] = [];
  interpreter.onDoubt = ({ db, name }) => doubts.push(db === 0 ? name : `${db}/${name}`);
  const line = (client: string | null, text: string): LineSignal => {
    return { kind: 'line', at: AT, db: 0, client, words: text.split(' ') };
  };
  const acquire = () => {
    const inner = ['exists a', `hincrby a ${HOLDER} 1`, 'pexpire a 30000'].map((text) => line(null, text));
    const head = line('c:1', `EVALSHA ${'f'.repeat(40)} 1 a 30000 ${HOLDER}`);
    return interpreter.interpret({ kind: 'command', head, inner, pushes: [] });
  };
  acquire();
  const run = (text: string, ...events: string[]) => {
    const pushes = events.map(
      (message): PushSignal => ({ kind: 'push', at: AT, channel: '__keyspace@0__:a', message }),
    );
    return interpreter.interpret({ kind: 'command', head: line('ops:1', text), inner: [], pushes });
  };
  const read = (...holders: string[]) => {
    const fields = { mode: 'read', ...Object.fromEntries(holders.map((holder) => [holder, '1'])) };
    const found = { db: 0, name: 'a', type: 'hash', fields, pttl: 30_000, hasChanged: false, subscribers: null };
    return interpreter.interpret({ kind: 'bookmark', at: AT, reads: [found] });
  };
  const readAs = (type: 'hash' | 'none', end = 30_000) => {
    const content = type === 'hash' ? { fields: { [HOLDER]: '1' }, pttl: end } : { fields: {}, pttl: -2 };
    const found = { db: 0, name: 'a', type, ...content, hasChanged: false, subscribers: null };
    return interpreter.interpret({ kind: 'bookmark', at: AT, reads: [found] });
  };
  const script = (words: string, ...texts: string[]) =>
    interpreter.interpret({
      kind: 'command',
      head: line('c:1', `EVALSHA ${'e'.repeat(40)} ${words}`),
      inner: texts.map((text) => line(null, text)),
      pushes: [],
    });
  const renew = () => script(`1 a 30000 ${HOLDER}`, `hexists a ${HOLDER}`, 'pexpire a 30000');
  const unlock = () => script(`2 a redisson_lock__channel:{a} 0 30000 ${HOLDER}`, `hexists a ${HOLDER}`);
  return { interpreter, acquire, run, read, readAs, renew, unlock, doubts };
}

test.each(['DEL a', 'UNLINK b a', 'RENAME a b', 'SET a x', 'MSET b 1 a 2', 'PEXPIRE a 0', 'FLUSHALL async'])(
  '[H6] %s takes a lock from its holder',
  (command) => {
    const type = command.startsWith('FLUSH') ? 'db.flushed' : 'lock.deleted';
    expect(held().run(command)).toMatchObject([{ type, lock: 'a', holder: HOLDER, by: 'ops:1' }]);
  },
);

test('[L3] a DEL shortly before the computed end of a lease deletes the lock, if Redis publishes expiries', () => {
  const end = (heard: boolean) => {
    const { interpreter, acquire, run } = held();
    const expired = { kind: 'push', at: AT, channel: '__keyevent@0__:expired', message: 'a' } as const;
    if (heard) {
      interpreter.interpret(expired);
      acquire();
    }
    run('PEXPIRE a 5');
    return run('DEL a');
  };
  expect(end(true)).toMatchObject([{ type: 'lock.deleted', command: 'DEL', holder: HOLDER }]);
  expect(end(false)).toMatchObject([{ type: 'lease.expired', certainty: 'inferred', holder: HOLDER }]);
});

test('[H6] a lock that SWAPDB moves to another database is reported as deleted, and read there', () => {
  const { run, doubts } = held();
  expect(run('SWAPDB 1 2')).toEqual([]);
  expect(doubts).toEqual([]);
  const lost = { type: 'lock.deleted', lock: 'a', db: 0, command: 'SWAPDB', holder: HOLDER, by: 'ops:1' };
  expect(run('SWAPDB 3 0')).toMatchObject([lost]);
  expect(doubts).toEqual(['3/a']);
});

test('[H6] a lock that SWAPDB brings back is found, and is not drift', () => {
  const { read, run } = held();
  run('SWAPDB 0 3');
  expect(run('SWAPDB 3 0')).toEqual([]);
  expect(read(HOLDER).at(-1)).toMatchObject({ type: 'lock.found', db: 0, holders: [{ holder: HOLDER }] });
});

test.each([
  ['RENAME a b', 'RENAME b a'],
  ['RENAME a b', 'RENAMENX b a'],
  ['RENAME a b', 'COPY b a'],
  ['DEL a', 'COPY b a DB 0 REPLACE'],
  ['DEL a', 'RESTORE a 30000 dump'],
  ['DEL a', `HMSET a ${HOLDER} 1`],
])('[H6] after %s, a lock that %s brings is read at once, and is not drift', (away, back) => {
  const { read, run, doubts } = held();
  run(away);
  expect(run(back)).toEqual([]);
  expect(doubts).toEqual(['a']);
  expect(read(HOLDER).at(-1)).toMatchObject({ type: 'lock.found', holders: [{ holder: HOLDER }] });
});

test.each(['MOVE a 0', 'COPY a a DB 0'])('[H6] a lock that %s brings from another database is not drift', (command) => {
  const { interpreter, read, run, doubts } = held();
  run('MOVE a 3');
  const head: LineSignal = { kind: 'line', at: AT, db: 3, client: 'ops:1', words: command.split(' ') };
  expect(interpreter.interpret({ kind: 'command', head, inner: [], pushes: [] })).toEqual([]);
  expect(doubts).toEqual(['a']);
  expect(read(HOLDER).at(-1)).toMatchObject({ type: 'lock.found', holders: [{ holder: HOLDER }] });
});

test.each([
  ['RENAMENX a b', 'rename_from'],
  ['GETDEL a', 'del'],
  ['SET a x GET', 'set'],
  ['GETSET a x', 'set'],
])('[H6] %s may change nothing: a key event decides, otherwise a read', (command, event) => {
  const reported = held();
  expect(reported.run(command, event)).toMatchObject([{ type: 'lock.deleted', holder: HOLDER, by: 'ops:1' }]);
  expect(reported.doubts).toEqual([]);
  const unreported = held();
  expect(unreported.run(command)).toEqual([]);
  expect(unreported.doubts).toEqual(['a']);
});

test.each(['RENAMENX a b', 'RENAME b a', 'COPY b a REPLACE', 'RESTORE a 30000 dump REPLACE'])(
  '[H6] if a read after %s finds no holder, this command is reported as the one that took the lock',
  (command) => {
    const [name] = command.split(' ');
    const lost = { type: 'lock.deleted', holder: HOLDER, by: 'ops:1', certainty: 'inferred', command: name };
    const taken = held();
    expect(taken.run(command)).toEqual([]);
    expect(taken.readAs('none')).toMatchObject([lost]);
    const failed = held();
    failed.run(command);
    expect(failed.readAs('hash')).toEqual([]);
    expect(failed.readAs('none')).toMatchObject([{ type: 'drift.healed' }]);
    const longer = held();
    longer.run(command);
    expect(longer.readAs('hash', 60_000)).toMatchObject([{ type: 'drift.healed' }]);
    const renewed = held();
    renewed.run(command);
    expect(renewed.renew()).toMatchObject([{ type: 'lease.renewed' }]);
    expect(renewed.readAs('none')).toMatchObject([{ type: 'drift.healed' }]);
  },
);

test.each(['GETDEL a', 'SET a x GET', 'GETSET a x'])('[H6] %s fails on a hash, so it explains no loss', (command) => {
  const { run, readAs } = held();
  run(command);
  expect(readAs('none')).toMatchObject([{ type: 'drift.healed' }]);
});

test.each(['COPY b a', 'RENAMENX b a', 'RENAME b a', 'RESTORE a 30000 dump'])(
  '[H6] if %s may have changed nothing, the deletion before it is still the known cause of the loss',
  (command) => {
    const { run, readAs, unlock } = held();
    run('DEL a');
    run(command);
    expect(readAs('none')).toEqual([]);
    expect(unlock()).toMatchObject([{ type: 'unlock.refused', certainty: 'observed', reason: 'no-lock' }]);
  },
);

test.each(['COPY b a REPLACE', 'COPY b a DB 0 REPLACE'])(
  '[H6] if %s may have changed nothing, a key event shows that the lock is gone, and the key is read in both cases',
  (command) => {
    const reported = held();
    expect(reported.run(command, 'copy_to')).toMatchObject([{ type: 'lock.deleted', holder: HOLDER, by: 'ops:1' }]);
    expect(reported.doubts).toEqual(['a']);
    const unreported = held();
    expect(unreported.run(command)).toEqual([]);
    expect(unreported.doubts).toEqual(['a']);
  },
);

test.each([
  'RENAME a a',
  'RENAMENX a a',
  'MOVE a 0',
  'EXPIRE a 10.5',
  'EXPIRE a x',
  'EXPIRE a ',
  'EXPIRE a 9223372036854775807',
  'PEXPIRE a 9223372036854775807',
  'PEXPIRE a 10 XX GT',
  'PEXPIRE a 10 NX XX',
  'PEXPIRE a 90000 GT LT',
  'PEXPIRE a 10 AT',
  'FLUSHALL bogus',
  'FLUSHDB ASYNC SYNC',
  'MSET b a',
  'COPY b a',
  'COPY a b REPLACE',
  'COPY b a DB 1 REPLACE',
  'GETEX a PX 10',
])('[H6] %s does not change the key of the held lock, and is not an event', (command) => {
  const { run, doubts } = held();
  expect(run(command)).toEqual([]);
  expect(doubts).toEqual([]);
});

test.each(['APPEND a x', 'SETRANGE a 0 x', 'INCRBY a 1', 'DECRBY a 1'])(
  '[H6] after %s, the key of the held lock is read',
  (command) => {
    const { run, doubts } = held();
    expect(run(command)).toEqual([]);
    expect(doubts).toEqual(['a']);
  },
);

test('[L7] PEXPIRE with two options changes a lease if both conditions are met', () => {
  expect(held().run('PEXPIRE a 40000 XX GT')).toMatchObject([{ type: 'lease.renewed', leaseMs: 40_000 }]);
  expect(held().run('PEXPIRE a 10 xx lt')).toMatchObject([{ type: 'lease.shortened', leaseMs: 10 }]);
});

test('[H6] HDEL of one of two readers asks for a read', () => {
  const { read, run, doubts } = held();
  const OTHER = HOLDER.replace('0a', '0b');
  read(HOLDER, OTHER);
  doubts.length = 0;
  expect(run('HDEL a nothing')).toEqual([]);
  expect(doubts).toEqual([]);
  expect(run(`HDEL a ${OTHER}`)).toEqual([]);
  expect(doubts).toEqual(['a']);
});

test('[X5] a lock that moved away and returns from another shard is found, and is not drift', () => {
  const { read, run } = held();
  run('DEL a');
  expect(run('RESTORE-ASKING a 30000 dump')).toEqual([]);
  expect(read(HOLDER).at(-1)).toMatchObject({ type: 'lock.found', holders: [{ holder: HOLDER }] });
  expect(read()).toMatchObject([{ type: 'drift.healed', cause: 'unexplained' }]);
});

test.each(['SORT b STORE a', 'ZUNIONSTORE a 1 b', 'SINTERSTORE a b', 'ZRANGESTORE a b 0 -1', 'BITOP NOT a b'])(
  '[H6] if a read finds no lock after %s, this command took the lock from its holder',
  (command) => {
    const { run, readAs, doubts } = held();
    expect(run(command)).toEqual([]);
    expect(doubts).toEqual(['a']);
    expect(readAs('none')).toMatchObject([
      { type: 'lock.deleted', certainty: 'inferred', command: command.split(' ')[0], by: 'ops:1', holder: HOLDER },
    ]);
    const kept = held();
    kept.run(command);
    expect(kept.readAs('hash')).toEqual([]);
  },
);

test.each(['HSET a note x', 'HMSET a note x', 'LPUSHX a x'])(
  '[H6] %s does not explain that a lock is gone',
  (command) => {
    const { run, readAs } = held();
    run(command);
    expect(readAs('none')).toMatchObject([{ type: 'drift.healed', cause: 'unexplained' }]);
  },
);

test('[H6] a field that another client writes into the hash of a held lock changes nothing for its holder', () => {
  const { interpreter, run, unlock } = held();
  run('HSET a note x');
  const fields = { [HOLDER]: '1', note: 'x' };
  const found = { db: 0, name: 'a', type: 'hash', fields, pttl: 30_000, hasChanged: false, subscribers: null };
  expect(interpreter.interpret({ kind: 'bookmark', at: AT, reads: [found] })).toEqual([]);
  const alone = { ...found, fields: { note: 'x' } };
  expect(interpreter.interpret({ kind: 'bookmark', at: AT, reads: [alone] })).not.toEqual([]);
  expect(unlock()).toMatchObject([{ type: 'unlock.refused' }]);
});
