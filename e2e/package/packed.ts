import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
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
    /** `up to date`, or what is wrong with the reports of the public surface. */
    apiReports: string;
  }
}

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLES = ['client', 'express', 'interpret', 'node-http'];

/**
 * Builds the types, packs what is built, has `install` install it in a new folder, and adds the examples. `express-4`
 * is the example of Express with version 4; `install` installs this version under that name. Returns a function that
 * deletes the folder.
 */
export function packed(project: TestProject, install: (home: string, tarball: string) => void): () => void {
  const home = mkdtempSync(join(tmpdir(), 'lockscope-installed-'));
  const types = spawnSync(process.execPath, [join(ROOT, 'scripts/build-types.mjs'), '--check'], { encoding: 'utf8' });
  project.provide('apiReports', types.status === 0 ? 'up to date' : `${types.stdout}${types.stderr}`);
  execFileSync('npm', ['pack', ROOT, '--ignore-scripts', '--silent'], { cwd: home });
  const tarball = join(home, readdirSync(home).find((file) => file.endsWith('.tgz')) ?? '');
  install(home, tarball);
  for (const name of EXAMPLES) cpSync(join(ROOT, 'examples', name), join(home, 'examples', name), { recursive: true });
  cpSync(join(home, 'examples/express'), join(home, 'examples/express-4'), { recursive: true });
  mkdirSync(join(home, 'examples/express-4/node_modules'));
  symlinkSync(join(home, 'node_modules/express-4'), join(home, 'examples/express-4/node_modules/express'));
  project.provide('home', home);
  project.provide('tarball', tarball);
  return () => rmSync(home, { recursive: true, force: true });
}
