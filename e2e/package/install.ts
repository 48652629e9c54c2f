import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packed } from './packed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** How long `npm install` took, in ms. */
    installMs: number;
  }
}

/** Installs the packed Lockscope from a registry, as a user does. */
export default function setup(project: TestProject): () => void {
  return packed(project, (home, tarball) => {
    const install = (...args: string[]) =>
      execFileSync('npm', ['install', ...args, '--no-audit', '--no-fund'], { cwd: home });
    writeFileSync(join(home, 'package.json'), '{"private":true,"type":"module"}');
    const began = performance.now();
    install(`./${basename(tarball)}`, '--omit=dev');
    project.provide('installMs', performance.now() - began);
    install('express@5', 'express-4@npm:express@4');
  });
}
