import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LockscopeCommand } from '../../support/lockscope/lockscope-command.ts';
import { launchLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { LOCK, RunBed, reportOf, UNLOCK } from '../../support/run-bed.ts';
import { waitFor } from '../../support/wait-for.ts';

const bed = new RunBed();

const faultsOf = (command: LockscopeCommand) =>
  reportOf(command).faults.map(({ kind, incident, lock }) => [kind, incident, lock].filter(Boolean).join(' '));

describe('lockscope run', () => {
  test('finds a lock that is left behind at level events too, and the report names what cannot be seen', async () => {
    const left = bed.run([], bed.program([LOCK]));
    expect(await left.ended()).toBe(4);
    expect(left.err).toMatch(
      /^lockscope: {3}left-behind {2}orders:1 \(redis, database 0\): \S+:1 still holds this lock/m,
    );
    expect(left.err).toContain('Not checked: deadlock. Not seen at level events. Use --observe monitor.');
  });

  test('finds a lease that ends during the work, and the unlock that is refused then', async () => {
    const steps = [{ ...LOCK, leaseMs: 300 }, { pauseMs: 1500 }, UNLOCK];
    const command = bed.runSteps(steps);
    expect(await command.ended()).toBe(4);
    expect(faultsOf(command)).toEqual(['lease-ended lease-shorter-than-work orders:1', 'unlock-refused orders:1']);
    expect(reportOf(command).faults[0]?.text).toContain('came to unlock it after');
    const allowed = bed.runSteps(steps, '--allow', 'lease-ended', '--allow', 'unlock-refused');
    expect(await allowed.ended()).toBe(0);
  });

  test('finds threads that wait for each other, even if one of them gives up', async () => {
    const command = bed.runSteps([
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

  test('writes JUnit XML for CI servers, and a recording that opens', async () => {
    const [xml, recording] = [join(bed.folder, 'reports', 'locks.xml'), join(bed.folder, 'run.lockscope')];
    const command = bed.runSteps([LOCK], '--junit', xml, '--record', recording);
    expect(await command.ended()).toBe(4);
    const text = readFileSync(xml, 'utf8');
    expect(text).toMatch(/<testsuite name="lockscope" tests="5" failures="1" errors="0" skipped="0"/);
    expect(text).toContain('<testcase classname="lockscope" name="No lock is left behind"');
    expect(text.match(/<failure /g)).toHaveLength(1);
    const page = await launchLockscopeProcess('open', [recording]);
    const events = await waitFor('the recording', async () => {
      const reported = await page.eventsAfter(0, { lock: 'orders:1', type: 'lock.acquired' });
      return reported.length > 0 && reported;
    });
    expect(events).toHaveLength(1);
    await page.stop();
  });

  test('exits with 128 and the number of the signal if the program is killed', async () => {
    expect(await bed.run([], [process.execPath, '-e', 'process.kill(process.pid,"SIGKILL")']).ended()).toBe(137);
  });
});
