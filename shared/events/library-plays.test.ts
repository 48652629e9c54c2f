import { expect, test } from 'vitest';
import { heardStory } from '../../testing/stories/heard-story.ts';
import { command, eventsFromScripts, type Sent, script, stepsAt } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import type { Step } from '../signals/step.ts';
import { Interpreter } from './interpreter.ts';

/* Commands of libraries whose locks have a form that is not understood. Nothing false may be concluded from them. */

const [A, B] = ['10.0.0.1:1', '10.0.0.2:1'];

/**
 * The events of these commands, and the keys reported as locks of a form that is not understood, each with its form.
 */
function concluded(...sent: readonly Sent[]) {
  const interpreter = new Interpreter({ source: 'story' });
  const events = stepsAt(sent.map((each, n) => ({ sent: each, atMs: n * 100 }))).flatMap((step) =>
    interpreter.interpret(step),
  );
  const strange = interpreter.strangeLocks.at(seconds(60)).map(({ form, newest }) => `${form} ${newest}`);
  return { types: events.map(({ type, lock }) => `${type} ${lock}`), strange };
}

const NOTHING = { types: [], strange: [] };

/** Key events, each 0.1 s after the one before, as level `events` receives them. */
const heard = (...events: readonly (readonly [event: string, key: string])[]): Step[] =>
  events.map(([event, key], n) => {
    return { kind: 'push', at: seconds(n / 10), channel: `__keyevent@0__:${event}`, message: key };
  });

const ROW = 'SEATA_ROW_LOCK_jdbc:mysql://db:3306/shop^^^stock^^^2';
const [X1, X2] = ['10.0.0.1:8091:27155893874954241', '10.0.0.2:8091:27155893874954299'];
const row = (by: string, xid: string, ...ran: string[]) =>
  script(
    by,
    `${ROW} SEATA_GLOBAL_LOCK${xid} 7`,
    `1 10 ${xid} 241 7 jdbc stock ${ROW} 2 ${ROW}`,
    `HGET ${ROW} xid`,
    ...ran,
  );

test('row locks of Seata are named, and no event about them is reported', () => {
  const fields = ['xid', 'transactionId', 'branchId', 'resourceId', 'tableName', 'rowKey', 'pk'];
  const written = fields.map((field) => `HSET ${ROW} ${field} ${field === 'xid' ? X1 : '241'}`);
  const taken = row(A, X1, `HGET ${ROW} status`, ...written, `HSET SEATA_GLOBAL_LOCK${X1} 7 ${ROW}`);
  const refused = row(B, X2, `HGET ${ROW} status`);
  const global = `SEATA_GLOBAL_LOCK${X1}`;
  const rolledBack = script(A, `${global} status`, '1', `HGETALL ${global}`, `HSET ${ROW} status 1`);
  const released = script(A, global, '', `HGETALL ${global}`, `DEL ${global}`, `DEL ${ROW}`);
  expect(concluded(taken, refused, rolledBack)).toEqual({ types: [], strange: [`hash-field ${ROW}`] });
  expect(concluded(taken, released, refused).types).toEqual([]);
  expect(concluded(refused, released)).toEqual(NOTHING);
  expect(concluded(command(A, `HSETNX ${ROW} xid ${X1}`), command(A, `DEL ${ROW}`))).toEqual({
    types: [],
    strange: [`hash-field ${ROW}`],
  });
  expect(heardStory(...heard(['hset', ROW], ['hset', `SEATA_GLOBAL_LOCK${X1}`], ['del', ROW]))).toEqual([]);
});

const ONE = [command(B, 'WATCH TxTimeoutCheck'), command(B, 'GET TxTimeoutCheck'), command(B, 'DEL TxTimeoutCheck')];
const job = (by: string, server: string) => command(by, `SET TxTimeoutCheck ${server}:8091 NX PX 20000`);

test('[T1] a job of a Seata server is a lock, by its name and by the address in its value', () => {
  const events = eventsFromScripts([job(A, '10.0.0.1'), command(A, 'DEL TxTimeoutCheck'), job(B, '10.0.0.2'), ...ONE]);
  expect(events.map(({ type }) => type)).toEqual(['lock.acquired', 'lock.released', 'lock.acquired', 'lock.released']);
  for (const event of events) expect(event).toMatchObject({ library: 'seata' });
  expect(eventsFromScripts([command(A, 'SET TxTimeoutCheck 1 NX PX 20000')])).toEqual([]);
});

test('[T1] without commands, each server that runs a job of Seata is seen, although an address is not a token', () => {
  const found = (at: number, server: string | undefined): Step => {
    const isThere = server !== undefined;
    const companions = { token: isThere ? [`${server}:8091`] : [], ...(at < 1 && { library: ['seata', 'sure'] }) };
    const key = { type: isThere ? 'string' : 'none', fields: {}, pttl: isThere ? 19_000 : -2, companions };
    return {
      kind: 'bookmark',
      at: seconds(at),
      reads: [{ db: 0, name: 'TxTimeoutCheck', hasChanged: at > 1, subscribers: null, ...key }],
    };
  };
  const gone = (at: number): Step => {
    return { kind: 'push', at: seconds(at), channel: '__keyevent@0__:del', message: 'TxTimeoutCheck' };
  };
  const steps = [found(0.1, '10.0.0.1'), gone(1), found(1.5, '10.0.0.2'), gone(2), found(3, undefined)];
  expect(heardStory(...steps).map(({ type }) => type)).toEqual([
    ...['lock.found', 'lock.released', 'lock.acquired', 'lock.released'],
  ]);
});

test('file locks of JuiceFS are named, and its sessions are not locks', () => {
  const transaction = (by: string, ...lines: string[]) =>
    ['WATCH lockf42', 'HGETALL lockf42', 'MULTI', ...lines, 'EXEC'].map((line) => command(by, line));
  const locked = transaction(A, 'HSET lockf42 7_A1B2C3 W', 'SADD locked7 lockf42');
  const unlocked = transaction(A, 'HDEL lockf42 7_A1B2C3', 'SREM locked7 lockf42');
  const asked = [command(B, 'WATCH lockf42'), command(B, 'HGETALL lockf42'), command(B, 'UNWATCH')];
  const session = [command(A, 'ZADD allSessions 1795000060 7'), command(A, 'HSET sessionInfos 7 {"HostName":"web-1"}')];
  expect(concluded(...session, ...locked, ...asked, ...asked, ...unlocked)).toEqual({
    types: [],
    strange: ['hash-field lockf42'],
  });
  expect(concluded(command(A, 'SADD {3}locked7 {3}lockp42')).strange).toEqual(['hash-field {3}lockp42']);
  expect(concluded(...session, command(A, 'SADD locked7 door'))).toEqual(NOTHING);
  expect(
    heardStory(...heard(['hset', 'lockf42'], ['sadd', 'locked7'], ['hdel', 'lockf42'], ['del', 'lockf42'])),
  ).toEqual([]);
});

test('the lock of a periodic task of machinery, whose value is its end in nanoseconds, has no events', () => {
  const key = 'machinery_lock_worker.nightly0 2 * * *'.replaceAll(' ', '_');
  const tick = (by: string, n: number) => [
    command(by, `set ${key} 179500000${n}000000000 px 3001 nx`),
    command(by, `get ${key}`),
  ];
  expect(concluded(...tick(A, 3), ...tick(B, 3), ...tick(A, 4), ...tick(B, 4))).toEqual(NOTHING);
});

test("ids of Camel's messages, and asynq's tasks and leases, are not locks; gocraft's counter of a lock is only named", () => {
  const id = '5e6f7a8b-1111-4c5d-8e9f-000000000001';
  const seen = (by: string) => command(by, `SET orders-repo:${id} ${id} EX 60 NX`);
  expect(concluded(seen(A), seen(B), command(A, 'SADD repo m1'), command(A, `DEL orders-repo:${id}`))).toEqual(NOTHING);
  const queue = 'asynq:{default}';
  const unique = `${queue}:unique:mail:9b3b1c2a5e6f7a8b9b3b1c2a5e6f7a8b`;
  const keys = `${unique} ${queue}:t:${id} ${queue}:pending`;
  const set = `SET ${unique} ${id} NX EX 3600`;
  const enqueued = script(A, keys, `${id} 3600 msg 1`, set, `EXISTS ${queue}:t:${id}`, `LPUSH ${queue}:pending ${id}`);
  const taken = script(B, `${queue}:pending ${queue}:lease`, '1795000030', `ZADD ${queue}:lease 1795000030 ${id}`);
  const done = script(B, unique, id, `ZREM ${queue}:lease ${id}`, `GET ${unique}`, `DEL ${unique}`);
  const twice = script(B, keys, 'other 3600 msg 1', set);
  const asynqEvents = concluded(enqueued, twice, taken, command(B, `ZADD ${queue}:lease XX 1795000060 ${id}`));
  expect(asynqEvents).toEqual(NOTHING);
  expect(concluded(enqueued, taken, done).strange).toEqual([]);
  const jobs = 'work:jobs:mail';
  const fetched = script(A, `${jobs} ${jobs}:lock ${jobs}:lock_info`, 'pool-1', `incr ${jobs}:lock`);
  expect(concluded(fetched)).toEqual({ types: [], strange: [`counter ${jobs}:lock`] });
});

test('the lock of Spring’s cache writer has an empty value: its key is named, and no event about it is reported', () => {
  const [key, lock] = ['products::7', 'products~lock'];
  const empty = (by: string, ...words: string[]): Sent => ({ by, words });
  const waits = [1, 2, 3].map(() => command(B, `EXISTS ${lock}`));
  const named = { types: [], strange: [`empty ${lock}`] };
  expect(concluded(empty(A, 'SETNX', lock, ''), ...waits, command(A, `DEL ${lock}`))).toEqual(named);
  expect(concluded(empty(A, 'SET', lock, '', 'PX', '30000', 'NX'), ...waits)).toEqual(named);
  expect(concluded(empty(A, 'SET', key, '', 'PX', '30000', 'NX'))).toEqual(NOTHING);
});
