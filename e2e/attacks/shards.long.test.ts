import { expect, onTestFinished, test } from 'vitest';
import { launchLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { rssMb } from '../support/process-state.ts';
import { startFakeCluster } from '../support/servers/fake-cluster.ts';
import { pause, waitFor } from '../support/wait-for.ts';

/*
 * A cluster of 1,000 masters that answer like Redis without keys. Only as many sources are opened as
 * fit into --memory, and the rest are reported as not watched.
 */

const SHARDS = 1000;
/** After this time, each source has read all keys several times. */
const SECONDS = 30;

test.each([
  [512, 37],
  [1024, 96],
])(`of ${SHARDS} masters, --memory %d mb watches %d, and reports the rest`, async (limitMb, most) => {
  const cluster = await startFakeCluster(SHARDS);
  onTestFinished(() => cluster.stop());
  const lockscope = await launchLockscopeProcess(cluster.url, ['--observe', 'events', '--memory', `${limitMb}mb`]);
  onTestFinished(() => lockscope.stop());
  await waitFor('the sources to observe', async (missing) => {
    const { sources } = await lockscope.health();
    const observing = sources.filter(({ status }) => status === 'observing').length;
    return observing === most || missing(`${observing} of ${sources.length}`);
  });
  const took: number[] = [];
  const answered: number[] = [];
  for (let n = 0; n < SECONDS; n++) {
    await pause(1000);
    const asked = performance.now();
    await lockscope.health();
    answered.push(Math.round(performance.now() - asked));
    took.push(rssMb(lockscope.pid));
  }
  const { sources } = await lockscope.health();
  console.log(`MB: ${took.join(' ')}; health after ${answered.join(' ')} ms`);
  expect(sources).toHaveLength(most + 1);
  expect(sources.at(-1)?.problem).toMatchObject({ code: 'too-many-shards', values: { refused: SHARDS - most, most } });
  expect(Math.max(...took)).toBeLessThan(limitMb);
});
