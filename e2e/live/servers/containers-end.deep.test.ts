import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { IMAGE, nameOfRun, REMOVE_AT_END, remove } from '../../support/servers/container-host.ts';
import { SERVER } from '../../support/servers/server-host.ts';
import { gone } from '../../support/servers/server-process.ts';

const run = promisify(execFile);
const containers = async (name: string) => (await run('docker', ['ps', '-aq', '--filter', `name=${name}`])).stdout;

test.runIf(SERVER === 'docker')(
  'a container is removed even if Docker creates it after its test has ended',
  async () => {
    const name = `${nameOfRun()}-late`;
    const dir = await mkdtemp(join(tmpdir(), 'lockscope-docker-'));
    const calls = join(dir, 'calls');
    await writeFile(
      join(dir, 'docker'),
      `#!/bin/sh\necho "$1" >> ${calls}\nPATH="\${PATH#${dir}:}" exec docker "$@"\n`,
    );
    await chmod(join(dir, 'docker'), 0o755);
    const env = { ...process.env, PATH: `${dir}:${process.env.PATH}` };
    const guard = spawn('sh', ['-c', REMOVE_AT_END, name], { stdio: ['pipe', 'ignore', 'ignore'], env });
    try {
      guard.stdin.end();
      const callsOfPs = async () => (await readFile(calls, 'utf8').catch(() => '')).match(/^ps$/gm)?.length ?? 0;
      await expect.poll(callsOfPs).toBeGreaterThanOrEqual(7);
      await run('docker', ['create', '--name', name, IMAGE]);
      await expect.poll(() => containers(name)).toBe('');
      await gone(guard);
    } finally {
      guard.kill('SIGKILL');
      await remove(name);
      await rm(dir, { recursive: true, force: true });
    }
  },
);
