import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ROOT } from './container.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The image that was built for this run; undefined where there is no Docker engine. */
    image: string | undefined;
  }
}

const IMAGE = 'lockscope:of-this-test';
const CA_COPY = join(ROOT, 'docker/ca/of-this-test.crt');

/** Builds the image. Returns a function that removes it. */
export default function setup(project: TestProject): () => void {
  if (spawnSync('docker', ['info']).status !== 0) {
    project.provide('image', undefined);
    return () => undefined;
  }
  // If npm trusts the certificate of a proxy, the build of the image must trust it too, and so must the build of
  // compose.
  const ca = process.env.NODE_EXTRA_CA_CERTS ?? spawnSync('npm', ['config', 'get', 'cafile']).stdout.toString().trim();
  if (existsSync(ca)) copyFileSync(ca, CA_COPY);
  const tearDown = () => {
    rmSync(CA_COPY, { force: true });
    spawnSync('docker', ['rmi', '--force', IMAGE]);
  };
  const { status } = spawnSync('docker', ['build', '--tag', IMAGE, ROOT], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) {
    tearDown();
    throw new Error(`docker build ended with code ${status}.`);
  }
  project.provide('image', IMAGE);
  return tearDown;
}
