import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { type FleetBody, fleetBody } from '../shared/wire/fleet/fleet.ts';
import { Program } from './testing/program.ts';

const LONG = { timeout: 60_000, interval: 100 };
const running: Program[] = [];

afterEach(async () => {
  for (const program of running.splice(0)) await program.kill();
});

function demo(...more: string[]): Program {
  const program = new Program(['demo', '--fleet', '--port', '0', '--no-open', ...more]);
  running.push(program);
  return program;
}

async function fleetOf(url: string, q = ''): Promise<FleetBody> {
  return fleetBody.parse(await (await fetch(`${url}/api/fleet?q=${q}`)).json());
}

/** The ids of the processes that a demo started. */
function childrenOf({ child: { pid } }: Program): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').map(Number);
}

/** Whether a process runs. A process that has ended, but is not collected, does not run. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

const processesEnded = (pids: readonly number[]) =>
  vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: 5000, interval: 20 });

test('the fleet demo shows a healthy server, a busy server, a deadlock, and a client with locks on several servers', async () => {
  const program = demo();
  const url = await program.ready();
  await vi.waitFor(async () => {
    const { sources } = await fleetOf(url);
    expect(sources.map(({ name, isWatched }) => `${name} ${isWatched}`).sort()).toEqual([
      ...['orders true', 'payments true', 'stock true'],
    ]);
  }, LONG);
  const began = performance.now();
  await vi.waitFor(async () => {
    const [first, second, third] = (await fleetOf(url)).sources;
    expect(first?.worst[0]).toMatchObject({ incident: 'abba-deadlock', severity: 'critical' });
    expect([first, second, third].map((source) => source?.name)).toEqual(['stock', 'payments', 'orders']);
    expect(second?.counts.waiting).toBeGreaterThan(2);
    expect(third).toMatchObject({ critical: 0, warnings: 0, counts: { waiting: 0 } });
  }, LONG);
  expect(performance.now() - began).toBeLessThan(30_000);
  await vi.waitFor(async () => {
    const { found } = await fleetOf(url, 'checkout');
    const held = found.filter(({ row }) => row.holders.some((holder) => holder.name === 'checkout'));
    expect(new Set(held.map(({ name }) => name)).size).toBeGreaterThan(1);
  }, LONG);
  expect(program.err).not.toMatch(/warn|error/i);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends the fleet demo within 3 s, and all its processes',
  async (signal) => {
    const program = demo();
    await program.ready();
    const children = childrenOf(program);
    expect(children.filter(isRunning).length).toBeGreaterThanOrEqual(3 + 4 + 6);
    const began = performance.now();
    expect(await program.end(signal)).toBe(0);
    expect(performance.now() - began).toBeLessThan(3000);
    await processesEnded(children);
  },
);

test('after SIGKILL no process of the fleet demo remains', async () => {
  const program = demo();
  await program.ready();
  const children = childrenOf(program);
  await program.kill();
  await processesEnded(children);
});

/** The command line of a process; an observer hides its own. */
const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();

test.each([
  ['a server', /redis-server/, /The private Redis of (orders|payments|stock|the bus) has ended/],
  ['an observer', /^lockscope$/, /The observer of (orders|payments|stock) has ended/],
  ['a client', /demo\/client\/main\.js/, /The demo client [a-z0-9-]+ has ended/],
])('if %s ends, the fleet demo names it and ends with code 1', async (_what, command, line) => {
  const program = demo();
  await program.ready();
  const children = childrenOf(program);
  const victim = children.find((pid) => command.test(commandOf(pid)));
  if (victim === undefined) throw new Error('no such process');
  process.kill(victim, 'SIGKILL');
  await vi.waitFor(() => expect(program.child.exitCode).toBe(1), { timeout: 10_000 });
  expect(program.err).toMatch(line);
  expect(program.err.match(/ error /g)).toHaveLength(1);
  await processesEnded(children);
});

test('without a Redis program, the fleet demo ends, and its error names what to do', async () => {
  const program = new Program(['demo', '--fleet', '--port', '0', '--no-open'], { PATH: '/nowhere' });
  running.push(program);
  expect(await program.ended()).toBe(1);
  expect(program.err).toContain('No redis-server found. Install it');
});
