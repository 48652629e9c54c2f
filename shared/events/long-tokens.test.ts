import { expect, test } from 'vitest';
import { seconds } from '../../testing/stories/story.ts';
import type { ClientRow, LineSignal, PushSignal } from '../signals/signal.ts';
import { Interpreter } from './interpreter.ts';

const SCHEDULE = 'framework/schedule-b0cfe7';

/** An interpreter that gets plain commands and client lists. */
function watched() {
  const interpreter = new Interpreter({ source: 'redis' });
  return {
    /** `event`: the key event that the command causes; absent: it changes nothing. */
    says(at: number, client: string, text: string, event?: string) {
      const words = text.split(' ');
      const head: LineSignal = { kind: 'line', at: seconds(at), db: 0, client, words };
      const channel = `__keyspace@0__:${words[1]}`;
      const push: PushSignal[] = event ? [{ kind: 'push', at: seconds(at), channel, message: event }] : [];
      return interpreter.interpret({ kind: 'command', head, inner: [], pushes: push });
    },
    lists(at: number, ...addresses: string[]) {
      const row = (text: string): ClientRow => {
        const [address = '', name = ''] = text.split('=');
        return { address, name, library: '', ageSeconds: 60, idleSeconds: 0 };
      };
      const events = interpreter.interpret({ kind: 'clients', at: seconds(at), clients: addresses.map(row) });
      return events.flatMap((event) => ('client' in event ? [`${event.type} ${event.client}`] : []));
    },
  };
}

test('[T1] a SETNX without an expiry is a lock if the key has the name of a lock', () => {
  const { says } = watched();
  expect(says(0, 'app:1', 'SETNX report:lock web-1', 'set')).toMatchObject([
    { type: 'lock.acquired', kind: 'token-lock', kindKnown: false, holder: 'web-1', expiresAt: null },
  ]);
  for (const other of ['SETNX visits 1', 'SETNX block:9 on', 'SETNX lock:settings {"door":"shut"}'])
    expect(says(1, 'app:1', other, 'set')).toEqual([]);
});

test('[T1] clients that set the same word are not distinguished', () => {
  const { says } = watched();
  says(0, 'app:1', 'SETNX report:lock 1', 'set');
  expect(says(1, 'app:2', 'SETNX report:lock 1')).toEqual([]);
  expect(says(2, 'app:2', 'SETNX report:lock web-2')).toMatchObject([{ type: 'lock.refused', holder: 'web-2' }]);
});

test('[T11] all tokens of a connection with a long lease or no lease are gone with the connection', () => {
  const { says, lists } = watched();
  says(0, 'worker:1', `SET ${SCHEDULE} q8Lh2pWnXz41 EX 86400 NX`, 'set');
  says(0.1, 'worker:1', 'SETNX report:lock web-1', 'set');
  says(0.2, 'worker:1', 'SETNX page:lock web-2', 'set');
  says(0.3, 'worker:1', 'EXPIRE page:lock 30', 'expire');
  expect(lists(5, 'worker:1', 'other:1')).toEqual(['client.connected q8Lh2pWnXz41', 'client.connected web-1']);
  expect(lists(10, 'other:1')).toEqual(['client.gone q8Lh2pWnXz41', 'client.gone web-1']);
});

test('[T11] a token that released its lock within seconds is not a client', () => {
  const { says, lists } = watched();
  says(0, 'worker:1', 'SETNX report:lock web-1', 'set');
  says(1, 'worker:1', 'DEL report:lock', 'del');
  says(4, 'worker:1', 'SETNX report:lock web-2', 'set');
  expect(lists(5, 'worker:1')).toEqual([]);
  expect(lists(10, 'worker:1')).toEqual(['client.connected web-2']);
});

test('[T11] a holder of a lock without an end is gone with its connection if its library is known, even if the key is not named like a lock', () => {
  const { says, lists } = watched();
  const [a, b] = ['6f2d0a9ce54611f18a0402fc00000001', '7a3e1b0de54611f18a0402fc00000002'];
  says(0, 'host:1', 'CLIENT SETNAME worker-1');
  says(0, 'host:2', 'CLIENT SETNAME worker-2');
  says(0, 'host:1', `SET repository-sync ${a} NX`, 'set');
  says(0.9, 'host:2', `SET repository-sync ${b} NX`);
  expect(lists(2, 'host:2=worker-2')).toEqual([]);
  expect(lists(3.2, 'host:2=worker-2')).toEqual([`client.gone ${a}`]);
});

test('[T11] a token is not gone with its connection if its process may have other connections', () => {
  const { says, lists } = watched();
  says(0, 'host:1', 'SETNX report:lock web-1', 'set');
  says(1, 'host:2', 'SETNX report:lock web-2');
  expect(lists(4, 'host:1', 'host:2', 'host:3')).toEqual(['client.connected web-1']);
  expect(lists(9, 'host:2', 'host:3')).toEqual(['client.unknown web-1']);
});

test('[T11] a token of a library without a pool is gone with its connection, unless its host has opened another one since', () => {
  const taken = () => {
    const { says, lists } = watched();
    says(0, 'host:1', `SET ${SCHEDULE} q8Lh2pWnXz41 EX 86400 NX`, 'set');
    expect(lists(4, 'host:1', 'host:2')).toEqual(['client.connected q8Lh2pWnXz41']);
    return lists;
  };
  expect(taken()(9, 'host:2')).toEqual(['client.gone q8Lh2pWnXz41']);
  expect(taken()(9, 'host:2', 'host:3')).toEqual(['client.unknown q8Lh2pWnXz41']);
});
