import { expect, test } from 'vitest';
import type { ClientRow } from '../../signals/signal.ts';
import { Interpreter } from '../interpreter.ts';
import { unclaimedIn } from './unclaimed.ts';

const rowOf = (address: string, name: string): ClientRow => {
  return { address, name, ageSeconds: 60, idleSeconds: 1, library: '' };
};

/** The unclaimed connections of a list, if these clients are known by their first connections. */
function unclaimed(known: Readonly<Record<string, string>>, ...rows: ClientRow[]): string[] {
  const { clients } = new Interpreter({ source: 'redis' });
  clients.uuidAt = (address: string) => known[address];
  return unclaimedIn(rows, clients).map(({ address }) => address);
}

const CONNECTIONS = ['10.0.0.1:8', '10.0.0.1:9'].map((address) => rowOf(address, 'web'));

test('[O8] connections opened together with those of a known client are its own if two clients have separate names', () => {
  const rows = [rowOf('10.0.0.1:1', 'web'), rowOf('10.0.0.1:2', 'worker'), ...CONNECTIONS];
  expect(unclaimed({ '10.0.0.1:1': 'a', '10.0.0.1:2': 'b' }, ...rows)).toEqual([]);
});

test('[O8] one client whose connections have two names does not count as two clients', () => {
  const rows = [rowOf('10.0.0.1:1', 'web'), rowOf('10.0.0.1:2', 'web-jobs'), ...CONNECTIONS];
  expect(unclaimed({ '10.0.0.1:1': 'a', '10.0.0.1:2': 'a' }, ...rows)).toEqual(['10.0.0.1:8', '10.0.0.1:9']);
});
