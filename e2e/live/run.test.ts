import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { strictly } from '../../shared/testing/strictly.ts';
import { type RunReport, runReport } from '../../shared/wire/check.ts';
import { connectApp } from '../support/clients/app.ts';
import { LockscopeCommand } from '../support/clients/lockscope-command.ts';
import { launchLockscopeProcess } from '../support/clients/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const SUITE = fileURLToPath(new URL('../support/clients/lock-suite.mjs', import.meta.url));
const LOCK = { client: 'a', thread: 1, action: 'lock', lock: 'orders:1' };
const UNLOCK = { ...LOCK, action: 'unlock' };
let redis: RunningRedis;
let folder: string;
let commands: LockscopeCommand[] = [];

beforeEach(async () => {
  redis = await startRedis();
  folder = mkdtempSync(join(tmpdir(), 'lockscope-run-'));
});

afterEach(async () => {
  await Promise.all(commands.map((command) => command.kill()));
  commands = [];
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

function run(flags: readonly string[], program: readonly string[]): LockscopeCommand {
  const command = new LockscopeCommand(['run', redis.url, ...flags, '--', ...program]);
  commands.push(command);
  return command;
}

/** Runs a program that uses locks in these steps, at level `monitor`, and reports as JSON. */
function runSteps(steps: readonly object[], ...flags: string[]): LockscopeCommand {
  const program = [process.execPath, SUITE, redis.url, JSON.stringify(steps)];
  return run(['--observe', 'monitor', '--json', ...flags], program);
}

function reportOf({ err }: LockscopeCommand): RunReport {
  const line = err.split('\n').find((each) => each.startsWith('{"event":"report"'));
  if (line === undefined) throw new Error(`no report: ${err}`);
  return strictly(runReport, JSON.parse(line));
}

const faultsOf = (command: LockscopeCommand) =>
  reportOf(command).faults.map(({ kind, incident, lock }) => [kind, incident, lock].filter(Boolean).join(' '));

describe('lockscope run', () => {
  test('a program that uses locks well: its own exit code, its own output', async () => {
    const good = runSteps([LOCK, UNLOCK]);
    expect(await good.ended()).toBe(0);
    expect(good.out).toBe('the suite has ended\n');
    expect(reportOf(good)).toMatchObject({ exitCode: 0, faults: [], allowed: [], notChecked: [], blindSpots: [] });
    const failed = runSteps([LOCK, UNLOCK, { exit: 7 }]);
    expect(await failed.ended()).toBe(7);
    expect(reportOf(failed)).toMatchObject({ exitCode: 7, programExitCode: 7, faults: [] });
  });

  test('a lock that is left behind: exit code 4, unless it is allowed or was held before', async () => {
    const app = await connectApp(redis.url);
    await app.acquire('held-before');
    const left = runSteps([LOCK]);
    expect(await left.ended()).toBe(4);
    const [fault, ...others] = reportOf(left).faults;
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ kind: 'left-behind', lock: 'orders:1' });
    await redis.command('DEL', 'orders:1');
    const allowed = runSteps([LOCK], '--allow', 'left-behind');
    expect(await allowed.ended()).toBe(0);
    expect(reportOf(allowed).allowed).toMatchObject([{ kind: 'left-behind', lock: 'orders:1' }]);
    await app.close();
  });

  test('at level events a lock that is left behind is found too, and the report names what cannot be seen', async () => {
    const steps = JSON.stringify([LOCK]);
    const left = run([], [process.execPath, SUITE, redis.url, steps]);
    expect(await left.ended()).toBe(4);
    expect(left.err).toMatch(
      /^lockscope: {3}left-behind {2}orders:1 \(redis, database 0\): \S+:1 still holds this lock/m,
    );
    expect(left.err).toContain('Not checked: deadlock. Not seen at level events. Use --observe monitor.');
  });

  test('a lease that ends during the work, and the unlock that is refused then', async () => {
    const steps = [{ ...LOCK, leaseMs: 300 }, { pauseMs: 1500 }, UNLOCK];
    const command = runSteps(steps);
    expect(await command.ended()).toBe(4);
    expect(faultsOf(command)).toEqual(['lease-ended orders:1', 'unlock-refused orders:1']);
    expect(reportOf(command).faults[0]?.text).toContain('It still worked: its unlock at');
    const allowed = runSteps(steps, '--allow', 'lease-ended', '--allow', 'unlock-refused');
    expect(await allowed.ended()).toBe(0);
  });

  test('threads that wait for each other, until one gives up', async () => {
    const command = runSteps([
      { client: 'a', thread: 1, action: 'lock', lock: 'orders:1' },
      { client: 'b', thread: 1, action: 'lock', lock: 'orders:2' },
      { client: 'b', thread: 1, action: 'lock', lock: 'orders:1', waits: false },
      { client: 'a', thread: 1, action: 'tryLock', lock: 'orders:2', waitMs: 8000 },
      UNLOCK,
      { pauseMs: 500 },
      { client: 'b', thread: 1, action: 'unlock', lock: 'orders:1' },
      { client: 'b', thread: 1, action: 'unlock', lock: 'orders:2' },
    ]);
    expect(await command.ended()).toBe(4);
    expect(faultsOf(command)).toEqual([expect.stringMatching(/^deadlock abba-deadlock orders:[12]$/)]);
  });

  test('JUnit XML for CI servers, and a recording that opens', async () => {
    const [xml, recording] = [join(folder, 'reports', 'locks.xml'), join(folder, 'run.lockscope')];
    const command = runSteps([LOCK], '--junit', xml, '--record', recording);
    expect(await command.ended()).toBe(4);
    const text = readFileSync(xml, 'utf8');
    expect(text).toMatch(/<testsuite name="lockscope" tests="5" failures="1" errors="0" skipped="0"/);
    expect(text).toContain('<testcase classname="lockscope" name="No lock is left behind"');
    expect(text.match(/<failure /g)).toHaveLength(1);
    const page = await launchLockscopeProcess('open', [recording]);
    const events = await waitFor('the recording', async () => {
      const told = await page.eventsAfter(0, { lock: 'orders:1', type: 'lock.acquired' });
      return told.length > 0 && told;
    });
    expect(events).toHaveLength(1);
    await page.stop();
  });

  test('signals are passed on, and the exit code is the program’s', async () => {
    const ready = join(folder, 'ready');
    const script = `process.on('SIGTERM',()=>process.exit(33));setInterval(()=>{},1000);require('fs').writeFileSync('${ready}','')`;
    const command = run([], [process.execPath, '-e', script]);
    await waitFor('the program to run', () => existsSync(ready));
    command.child.kill('SIGTERM');
    expect(await command.ended()).toBe(33);
    expect(await run([], [process.execPath, '-e', 'process.kill(process.pid,"SIGKILL")']).ended()).toBe(137);
  });

  test('what cannot run fails with one line', async () => {
    const missing = run([], ['no-such-program-here']);
    expect(await missing.ended()).toBe(127);
    expect(missing.err.trimEnd().split('\n')).toHaveLength(1);
    const unwritable = run(['--junit', folder], ['true']);
    expect(await unwritable.ended()).toBe(1);
    expect(unwritable.err).toContain('this file cannot be written (EISDIR)');
    const noRedis = new LockscopeCommand(['run', 'redis://127.0.0.1:1', '--', 'touch', join(folder, 'ran')]);
    commands.push(noRedis);
    expect(await noRedis.ended()).toBe(1);
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });
});
