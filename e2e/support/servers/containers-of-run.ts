import { randomBytes } from 'node:crypto';
import { IMAGE, nameOfRun, provideImage, remove } from './container-host.ts';
import { SERVER } from './server-host.ts';

/** Prepares a run of the tests that uses containers, for its workers as well; what it returns removes them after the run. */
export default async function setup(): Promise<() => Promise<void>> {
  if (SERVER !== 'docker') return async () => undefined;
  process.env.LOCKSCOPE_TEST_RUN ??= randomBytes(4).toString('hex');
  // The demo's own servers are then of the same kind.
  process.env.REDIS_SERVER = SERVER;
  process.env.REDIS_IMAGE = IMAGE;
  await provideImage();
  return () => remove(nameOfRun());
}
