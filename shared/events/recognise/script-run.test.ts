import { expect, test } from 'vitest';
import { redisTime } from '../../base/time.ts';
import type { LineSignal } from '../../signals/signal.ts';
import { scriptRunOf } from './script-run.ts';

const line = (client: string | null, words: string[]): LineSignal => {
  return { kind: 'line', at: redisTime(1), db: 0, client, words };
};

test('the commands of a script on its unlock latch, and SELECT, are left out', () => {
  const head = line('127.0.0.1:5', ['EVALSHA', 'f'.repeat(40), '1', 'orders:42', '30000', 'u:1']);
  const latch = 'redisson_unlock_latch:{orders:42}:0123';
  const inner = [
    ['SELECT', '5'],
    ['get', latch],
    ['HEXISTS', 'orders:42', 'u:1'],
    ['set', latch, '1'],
  ];
  const run = scriptRunOf({ kind: 'command', head, inner: inner.map((words) => line(null, words)), pushes: [] });
  expect(run).toMatchObject({ names: ['hexists'], shape: 'hexists', keys: ['orders:42'] });
});

test('each of 3000 scripts, and a script of 5000 commands, keeps its own command names', () => {
  const head = line('127.0.0.1:5', ['EVAL', '…', '1', 'orders:42']);
  const runOf = (names: readonly string[]) =>
    scriptRunOf({ kind: 'command', head, inner: names.map((name) => line(null, [name, 'orders:42'])), pushes: [] });
  const forms = Array.from({ length: 3000 }, (_, n) => ['get', `c${n}`, 'del']);
  for (const names of [...forms, ...forms]) expect(runOf(names)).toMatchObject({ names, shape: names.join(' ') });
  const long = Array.from({ length: 5000 }, (_, n) => (n % 2 === 0 ? 'get' : 'set'));
  expect(runOf(long)?.names).toEqual(long);
  expect(runOf(['EXISTS', 'Del'])?.shape).toBe('exists del');
});
