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
  const inner = ['exists a', `hincrby a ${HOLDER} 1`, 'pexpire a 30000'].map((text) => line(null, text));
  const head = line('c:1', `EVALSHA ${'f'.repeat(40)} 1 a 30000 ${HOLDER}`);
  interpreter.interpret({ kind: 'command', head, inner, pushes: [] });
  const run = (text: string, ...events: string[]) => {
    const pushes = events.map(
      (message): PushSignal => ({ kind: 'push', at: AT, channel: '__keyspace@0__:a', message }),
    );
    return interpreter.interpret({ kind: 'command', head: line('ops:1', text), inner: [], pushes });
  };
  return { run, doubts };
}

test.each(['DEL a', 'UNLINK b a', 'RENAME a b', 'MOVE a 1', 'SET a x', 'PEXPIRE a 0'])(
  '[H6] %s takes a lock from its holder',
  (command) => {
    expect(held().run(command)).toMatchObject([{ type: 'lock.deleted', lock: 'a', holder: HOLDER, by: 'ops:1' }]);
  },
);

test('[H6] SWAPDB moves the locks to another database, where a read finds them', () => {
  const { run, doubts } = held();
  expect(run('SWAPDB 1 2')).toEqual([]);
  expect(doubts).toEqual([]);
  const lost = { type: 'lock.deleted', lock: 'a', db: 0, command: 'SWAPDB', holder: HOLDER, by: 'ops:1' };
  expect(run('SWAPDB 3 0')).toMatchObject([lost]);
  expect(doubts).toEqual(['3/a']);
});

test.each([
  ['RENAMENX a b', 'rename_from'],
  ['GETDEL a', 'del'],
])('[H6] %s may do nothing: a key event decides, otherwise a read', (command, event) => {
  const told = held();
  expect(told.run(command, event)).toMatchObject([{ type: 'lock.deleted', holder: HOLDER, by: 'ops:1' }]);
  expect(told.doubts).toEqual([]);
  const untold = held();
  expect(untold.run(command)).toEqual([]);
  expect(untold.doubts).toEqual(['a']);
});
