import { expect, test } from 'vitest';
import { seconds } from '../../testing/stories/story.ts';
import type { KeyRead, LineSignal } from '../signals/signal.ts';
import { Interpreter } from './interpreter.ts';

const HOLDER = '6f2d0a9c-e546-4f18-a040-2fc000000001:1';

/** A lock that HOLDER acquired at second 0 for 60 s, and the keys whose reads were requested since. */
function held() {
  const interpreter = new Interpreter({ source: 'redis' });
  const doubts: string[] = [];
  const line = (at: number, client: string | null, text: string): LineSignal => {
    return { kind: 'line', at: seconds(at), db: 0, client, words: text.split(' ') };
  };
  const run = (at: number, text: string) =>
    interpreter.interpret({ kind: 'command', head: line(at, 'ops', text), inner: [], pushes: [] });
  const ran = ['exists orders', `hincrby orders ${HOLDER} 1`, 'pexpire orders 60000'];
  const head = line(0, 'a', `EVALSHA ${'f'.repeat(40)} 1 orders 60000 ${HOLDER}`);
  interpreter.interpret({ kind: 'command', head, inner: ran.map((text) => line(0, null, text)), pushes: [] });
  interpreter.onDoubt = ({ name }) => doubts.push(name);
  const readsNothing = (at: number) => {
    const read: KeyRead = {
      ...{ db: 0, name: 'orders', type: 'none', fields: {}, pttl: -2, hasChanged: false, subscribers: null },
    };
    return interpreter.interpret({ kind: 'bookmark', at: seconds(at), reads: [read] });
  };
  const passes = (at: number) => interpreter.interpret({ kind: 'time', at: seconds(at) });
  return { run, passes, readsNothing, doubts };
}

test('[H6] a field with a TTL is read when it ends, and the command that set the TTL ended the hold', () => {
  for (const set of ['HPEXPIRE orders 2000 FIELDS 1', 'HGETEX orders PX 2000 FIELDS 1']) {
    const { run, passes, readsNothing, doubts } = held();
    expect(run(1, `${set} ${HOLDER}`)).toEqual([]);
    passes(2.9);
    expect(doubts).toEqual([]);
    passes(3.2);
    expect(doubts).toEqual(['orders']);
    expect(readsNothing(3.21)).toMatchObject([{ type: 'lock.deleted', command: set.split(' ')[0], by: 'ops' }]);
  }
});

test('[H6] a field with the name of an option is not an option', () => {
  for (const text of [
    'HSETEX orders FIELDS 1 PX 2000',
    'HSETEX orders FIELDS 2 a 1 EXAT 1',
    'HGETEX orders FIELDS 1 EX',
  ]) {
    const { run, passes, doubts } = held();
    run(1, text);
    const read = doubts.splice(0).length;
    passes(5);
    expect([text, read, doubts]).toEqual([text, text.startsWith('HSETEX') ? 1 : 0, []]);
  }
  const { run, passes, doubts } = held();
  run(1, 'HSETEX orders PX 2000 FIELDS 1 PX 9000');
  doubts.splice(0);
  passes(3.2);
  expect(doubts).toEqual(['orders']);
});

test('[H6] options may follow the fields, as in Redis 8.6', () => {
  for (const text of [`HGETEX orders FIELDS 1 ${HOLDER} PX 2000`, `HSETEX orders FIELDS 1 ${HOLDER} 1 PX 2000`]) {
    const { run, passes, doubts } = held();
    run(1, text);
    doubts.splice(0);
    passes(2.9);
    expect([text, doubts]).toEqual([text, []]);
    passes(3.2);
    expect([text, doubts]).toEqual([text, ['orders']]);
  }
  const { run, doubts } = held();
  expect(run(1, `HPEXPIRE orders 0 FIELDS 1 ${HOLDER} XX`)).toEqual([]); // the field has no end, so Redis does nothing
  expect(doubts).toEqual(['orders']);
});

test('[H6] HPERSIST removes the TTL of the field', () => {
  const { run, passes, doubts } = held();
  run(1, `HPEXPIRE orders 2000 FIELDS 1 ${HOLDER}`);
  run(2, `HPERSIST orders FIELDS 1 ${HOLDER}`);
  passes(5);
  expect(doubts).toEqual([]);
});

test('[H6] HGETDEL of the holder’s field, and a TTL that has already passed, delete the lock', () => {
  for (const text of ['HGETDEL orders FIELDS 1', 'HPEXPIRE orders 0 FIELDS 1']) {
    const { run } = held();
    expect(run(1, `${text} ${HOLDER}`)).toMatchObject([{ type: 'lock.deleted', command: text.split(' ')[0] }]);
  }
});

test('a read is requested after HSET, HSETEX and HINCRBY on the hash of a held lock', () => {
  const { run, doubts } = held();
  for (const text of ['HSET orders a 1', 'HSETEX orders EX 9 FIELDS 1 a 1', `HINCRBY orders ${HOLDER} 1`]) run(1, text);
  expect(doubts).toEqual(['orders', 'orders', 'orders']);
});
