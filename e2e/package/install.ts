import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the examples, in which the packed Lockscope is installed. */
    home: string;
    /** The packed Lockscope. */
    tarball: string;
    /** How long `npm install` took, in ms. */
    installMs: number;
    /** `up to date`, or what is wrong with the reports of the public surface. */
    apiReports: string;
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Packs what is built, and installs it as a user would, in a folder of its own. `express-4` is the example of Express with
 * version 4. Returns a function that deletes the folder.
 */
export default function setup(project: TestProject): () => void {
  const home = mkdtempSync(join(tmpdir(), 'lockscope-installed-'));
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: home, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const types = spawnSync(process.execPath, [join(ROOT, 'scripts/build-types.mjs'), '--check'], { encoding: 'utf8' });
  npm('pack', ROOT, '--ignore-scripts', '--silent');
  const name = readdirSync(home).find((file) => file.endsWith('.tgz')) ?? '';
  const tarball = join(home, name);
  writeFileSync(join(home, 'package.json'), '{"private":true,"type":"module"}');
  const began = performance.now();
  npm('install', `./${name}`, '--omit=dev', '--no-audit', '--no-fund');
  const installMs = performance.now() - began;
  npm('install', 'express@5', 'express-4@npm:express@4', '--no-audit', '--no-fund');
  for (const name of ['client', 'express', 'interpret', 'node-http'])
    cpSync(join(ROOT, 'examples', name), join(home, 'examples', name), { recursive: true });
  cpSync(join(home, 'examples/express'), join(home, 'examples/express-4'), { recursive: true });
  mkdirSync(join(home, 'examples/express-4/node_modules'));
  symlinkSync(join(home, 'node_modules/express-4'), join(home, 'examples/express-4/node_modules/express'));
  project.provide('home', home);
  project.provide('tarball', tarball);
  project.provide('installMs', installMs);
  project.provide('apiReports', types.status === 0 ? 'up to date' : `${types.stdout}${types.stderr}`);
  return () => rmSync(home, { recursive: true, force: true });
}
