import { expect, test, vi } from 'vitest';
import type { StreamEntry } from '../bus/bus-entry.ts';
import { blocksKey } from '../bus/bus-keys.ts';
import type { Program } from '../testing/program.ts';
import { LONG, SOURCE, useFleetBed, written } from './testing/fleet-bed.ts';

const bed = useFleetBed();
const observer = () => bed.observer('--json');

const isActive = (program: Program) => written(program, 'err', 'this observer is active');
const isStandby = (program: Program) => written(program, 'out', '"role":"standby"');

/** Takes and releases locks until a further block of a run is on the bus. */
async function blocksGrow(): Promise<void> {
  const last = async () => JSON.stringify(await bed.bus.lastPlace(blocksKey(SOURCE)));
  const before = await last();
  await vi.waitFor(async () => {
    await bed.app.call('SET', 'lock:a', 'token-0123456789abcdef', 'NX', 'PX', 60_000);
    await bed.app.call('DEL', 'lock:a');
    expect(await last()).not.toBe(before);
  }, LONG);
}

/** Every line of each run is in one block or gap. */
function expectNoHoles(list: readonly StreamEntry[]): void {
  const lasts = new Map<number, number>();
  for (const { run, first, last } of list) {
    expect(first).toBe((lasts.get(run) ?? 0) + 1);
    lasts.set(run, last);
  }
}

test('a standby takes over within 10 s when the active observer is killed, and every line is on the bus once', async () => {
  const first = observer();
  await isActive(first);
  const second = observer();
  await isStandby(second);
  await blocksGrow();
  const began = performance.now();
  await first.kill();
  await isActive(second);
  const took = performance.now() - began;
  await blocksGrow();
  const list = await bed.entries();
  expectNoHoles(list);
  expect(new Set(list.map(({ run }) => run)).size).toBe(2);
  expect(took).toBeLessThan(10_000);
});

test('an observer that was frozen while another one took over is refused, and becomes a standby', async () => {
  const first = observer();
  await isActive(first);
  const second = observer();
  await isStandby(second);
  await blocksGrow();
  first.child.kill('SIGSTOP');
  await isActive(second);
  await blocksGrow();
  first.child.kill('SIGCONT');
  await written(first, 'err', 'Another observer has taken over');
  await blocksGrow();
  const list = await bed.entries();
  expectNoHoles(list);
  const runs = list.map(({ run }) => run);
  expect(runs).toEqual([...runs].sort((a, b) => a - b));
  expect(second.err).not.toContain('Another observer');
});

test('a bus that was unavailable for half a second gets all lines of that time later', async () => {
  const program = observer();
  await isActive(program);
  await blocksGrow();
  await bed.bus.connection.call('CLIENT', 'PAUSE', '500', 'WRITE');
  await bed.bus.connection.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  for (let n = 0; n < 200; n++) await bed.app.call('SET', `lock:${n}`, `token-0123456789abc-${n}`, 'NX', 'PX', 60_000);
  await blocksGrow();
  await blocksGrow();
  const list = await bed.entries();
  expectNoHoles(list);
  expect(list.every(({ kind }) => kind === 'block')).toBe(true);
});

test('SIGTERM ends an observer within 3 s, and it releases its lease', async () => {
  const program = observer();
  await isActive(program);
  const began = performance.now();
  expect(await program.end('SIGTERM')).toBe(0);
  expect(performance.now() - began).toBeLessThan(3000);
  expect(await bed.bus.connection.call('EXISTS', 'lockscope:observer:{one}')).toBe(0);
});

test('a bus is refused if it is the watched server', async () => {
  const program = bed.start(['observe', bed.watchedUrl, '--bus', bed.watchedUrl.replace('127.0.0.1', 'localhost')]);
  expect(await program.ended()).toBe(1);
  expect(program.err).toContain('itself');
});
