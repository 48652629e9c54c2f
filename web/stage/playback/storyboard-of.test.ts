import { expect, test } from 'vitest';
import type { Demo } from '../../../shared/wire/demo.ts';
import { storyKey } from './storyboard-of.ts';

const DEMO: Demo = {
  v: 1,
  scenario: 'two-threads',
  step: 3,
  steps: 8,
  script: [],
  state: 'running',
  lock: 'orders:42',
  startedAt: 1,
  at: 100,
  faults: [],
  clients: [{ id: 'A', name: 'order-svc-1', uuid: 'u1', pid: 7, state: 'running', threads: [] }],
};
const KEY = storyKey(DEMO, 'orders:42', 5);

test('a response that differs only in time, step and state keeps the key of the storyboard', () => {
  expect(storyKey({ ...DEMO, at: 200, step: 4, state: 'done' }, 'orders:42', 5)).toBe(KEY);
});

test('a new event, a fault, a restarted client or another lock gives another storyboard', () => {
  const fault = { at: 150, client: 'A', uuid: 'u1', name: 'killed' as const };
  const others = [
    storyKey(DEMO, 'orders:42', 6),
    storyKey(DEMO, 'stock:7', 5),
    storyKey({ ...DEMO, faults: [fault] }, 'orders:42', 5),
    storyKey({ ...DEMO, clients: DEMO.clients.map((client) => ({ ...client, uuid: 'u2' })) }, 'orders:42', 5),
  ];
  expect(new Set([KEY, ...others]).size).toBe(5);
});
