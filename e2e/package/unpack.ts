import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packed, ROOT } from './packed.ts';

type PackageLock = { packages: Record<string, { dev?: true }> };

/**
 * Installs the packed Lockscope without a registry: it is unpacked beside what it may depend on, and beside nothing
 * else.
 */
export default function setup(project: TestProject): () => void {
  return packed(project, (home, tarball) => {
    const modules = join(home, 'node_modules');
    const own = join(modules, 'lockscope');
    mkdirSync(own, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', own, '--strip-components=1']);
    for (const name of [...packagesOfUsers(), 'express-4'])
      if (!existsSync(join(modules, name))) link(join(ROOT, 'node_modules', name), join(modules, name));
    const { bin } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { bin: Record<string, string> };
    for (const [name, file] of Object.entries(bin)) link(join(own, file), join(modules, '.bin', name));
  });
}

/** The names of the packages that a user of Lockscope has in `node_modules`. */
function packagesOfUsers(): string[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as PackageLock;
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => /^node_modules\/(?!.*node_modules)/.test(path) && !dev)
    .map(([path]) => path.slice('node_modules/'.length));
}

function link(to: string, from: string): void {
  mkdirSync(dirname(from), { recursive: true });
  symlinkSync(to, from);
}
