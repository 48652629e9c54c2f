import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectApp } from '../../support/clients/app.ts';
import { LOCK, RunBed, reportOf, UNLOCK } from '../../support/run-bed.ts';
import { waitFor } from '../../support/wait-for.ts';

const bed = new RunBed();

describe('lockscope run', () => {
  test('for a program that uses locks correctly: exits with its code and prints its output', async () => {
    const command = bed.runSteps([LOCK, UNLOCK, { exit: 7 }]);
    expect(await command.ended()).toBe(7);
    expect(command.out).toBe('the suite has ended\n');
    const clean = { faults: [], allowed: [], notChecked: [], blindSpots: [] };
    expect(reportOf(command)).toMatchObject({ exitCode: 7, programExitCode: 7, ...clean });
  });

  test('for a lock that is left behind: exits with code 4, unless the lock is allowed or was held before', async () => {
    const app = await connectApp(bed.redis.url);
    await app.acquire('held-before');
    const left = bed.runSteps([LOCK]);
    expect(await left.ended()).toBe(4);
    expect(left.out).toBe('the suite has ended\n');
    const [fault, ...others] = reportOf(left).faults;
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ kind: 'left-behind', lock: 'orders:1' });
    await app.command('DEL', 'orders:1');
    await app.close();
    const allowed = bed.runSteps([LOCK], '--allow', 'left-behind');
    expect(await allowed.ended()).toBe(0);
    expect(reportOf(allowed).allowed).toMatchObject([{ kind: 'left-behind', lock: 'orders:1' }]);
  });

  test('forwards signals, and exits with the code of the program', async () => {
    const ready = join(bed.folder, 'ready');
    const script = `process.on('SIGTERM',()=>process.exit(33));setInterval(()=>{},1000);require('fs').writeFileSync('${ready}','')`;
    const command = bed.run([], [process.execPath, '-e', script]);
    await waitFor('the program to run', () => existsSync(ready));
    command.child.kill('SIGTERM');
    expect(await command.ended()).toBe(33);
  });

  test('fails for a program that cannot start, a report that cannot be written, and a Redis that does not answer', async () => {
    const missing = bed.run([], ['no-such-program-here']);
    const unwritable = bed.run(['--junit', bed.folder], ['true']);
    const ran = join(bed.folder, 'ran');
    const noRedis = bed.run([], ['touch', ran], 'redis://127.0.0.1:1');
    expect(await missing.ended()).toBe(127);
    expect(missing.err.trimEnd().split('\n')).toHaveLength(1);
    expect(await unwritable.ended()).toBe(1);
    expect(unwritable.err).toContain('this file cannot be written (EISDIR)');
    expect(await noRedis.ended()).toBe(1);
    expect(existsSync(ran)).toBe(false);
  });
});
