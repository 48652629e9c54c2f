import { randomBytes } from 'node:crypto';
import { nameOfRun, remove } from './container-host.ts';
import { SERVER } from './server-host.ts';

/** Names the containers of this run of the tests, for its workers as well; removes them when the run is over. */
export default function setup(): () => Promise<void> {
  process.env.LOCKSCOPE_TEST_RUN ??= randomBytes(4).toString('hex');
  return async () => {
    if (SERVER === 'docker') await remove(nameOfRun());
  };
}
