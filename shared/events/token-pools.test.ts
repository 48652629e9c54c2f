import { expect, test } from 'vitest';
import { seconds } from '../../testing/stories/story.ts';
import type { PushSignal } from '../signals/signal.ts';
import { Interpreter } from './interpreter.ts';

const JOB = 'job-lock:default:nightly';

/** A token of ShedLock, which deletes its locks without a comparison. */
function token(second: number, host = 'vm'): string {
  return `ADDED:2026-11-21T01:14:${second}.552Z@${host}:b7a212db-12ce-422e-b486-c1e8fe72a47a`;
}

/** Clients whose connections are `host:port`, on a server that sends key events. */
function watched() {
  const interpreter = new Interpreter({ source: 'redis' });
  const run = (at: number, client: string, words: string[], message: string) => {
    const push: PushSignal = { kind: 'push', at: seconds(at), channel: `__keyspace@0__:${JOB}`, message };
    const head = { kind: 'line', at: seconds(at), db: 0, client, words } as const;
    return interpreter.interpret({ kind: 'command', head, inner: [], pushes: [push] });
  };
  return {
    sets: (at: number, client: string, second: number, ms = 60_000, host?: string) =>
      run(at, client, ['SET', JOB, token(second, host), 'PX', String(ms), 'NX'], 'set'),
    deletes: (at: number, client: string) => run(at, client, ['DEL', JOB], 'del'),
  };
}

test('[T5] a DEL on another connection of the same pool is a release, if the library compares nothing', () => {
  const { sets, deletes } = watched();
  const pool = ['app:1', 'app:2', 'app:3'];
  for (let n = 0; n < 9; n++) {
    sets(n, pool[n % 3] ?? '', 10 + n);
    expect(deletes(n + 0.5, pool[(n + 1) % 3] ?? '')).toMatchObject([
      { type: 'lock.released', holder: token(10 + n), certainty: 'inferred' },
    ]);
  }
  sets(20, 'app:1', 40);
  expect(deletes(21, 'ops:1')).toMatchObject([{ type: 'lock.deleted', holder: token(40), by: 'ops:1' }]);
});

test('[T5] a DEL on the connection of a former holder whose lease ended hits the next holder', () => {
  const { sets, deletes } = watched();
  sets(0, 'app:1', 10, 1000);
  sets(2, 'web:1', 11);
  const late = { type: 'lock.deleted', holder: token(11), late: token(10) };
  expect(deletes(3, 'app:1')).toMatchObject([{ ...late, certainty: 'observed' }]);
});

test('[T5] a DEL on the connection of a former holder may be a release by the next holder, if they may share a pool', () => {
  const { sets, deletes } = watched();
  const late = { type: 'lock.deleted', late: token(10) };
  sets(0, 'app:1', 10, 1000);
  sets(2, 'app:2', 11);
  expect(deletes(3, 'app:1')).toMatchObject([{ ...late, holder: token(11), certainty: 'inferred' }]);
  // the tokens name two machines, which share no pool
  sets(4, 'app:1', 10, 1000);
  sets(6, 'app:2', 12, 60_000, 'other-host');
  expect(deletes(7, 'app:1')).toMatchObject([{ ...late, holder: token(12, 'other-host'), certainty: 'observed' }]);
});
