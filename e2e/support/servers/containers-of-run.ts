import { randomBytes } from 'node:crypto';
import { IMAGE, nameOfRun, provideImage, remove } from './container-host.ts';
import { SERVER } from './server-host.ts';

/**
 * Prepares a test run that uses containers, also for its workers. Returns a function that removes them after the run.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (SERVER !== 'docker') return async () => undefined;
  process.env.LOCKSCOPE_TEST_RUN ??= randomBytes(4).toString('hex');
  // The demo's own servers then use the same image.
  process.env.REDIS_SERVER = SERVER;
  process.env.REDIS_IMAGE = IMAGE;
  await provideImage();
  return () => remove(nameOfRun());
}
