import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { ROOT } from './packed.ts';

const run = promisify(execFile);
const home = inject('home');
const tarball = inject('tarball');
const installed = join(home, 'node_modules/lockscope');
const MOST_MB = 5;

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test('the package has less than 5 MB, runs no script when it is installed, and contains the licenses of what it bundles', async () => {
  const mb = bytesIn(installed) / 1e6;
  process.stdout.write(`unpacked: ${mb.toFixed(2)} MB beside its dependencies\n`);
  expect(mb).toBeLessThan(MOST_MB);
  const text = readFileSync(join(installed, 'package.json'), 'utf8');
  const { scripts, dependencies } = JSON.parse(text) as Record<'scripts' | 'dependencies', object>; // npm has packed this file
  for (const hook of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(hook);
  expect(Object.keys(dependencies)).not.toContain('vite');
  expect(existsSync(join(installed, 'dist/web/licenses.md'))).toBe(true);
  expect(existsSync(join(installed, 'LICENSE'))).toBe(true);
});

test('types and entry points are correct for each import as an ES module', async () => {
  const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);
  const publint = await run(bin('publint'), ['run', tarball, '--strict'], { cwd: home });
  expect(publint.stdout).toContain('All good!');
  // Old resolution without "exports", and require(), cannot work with a package of ES modules.
  await run(bin('attw'), [tarball, '--profile', 'esm-only', '--format', 'ascii'], { cwd: home });
});

test('the reports of the public API are up to date', () => {
  expect(inject('apiReports')).toBe('up to date');
});
