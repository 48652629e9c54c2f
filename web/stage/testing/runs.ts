import { redisTime } from '../../../shared/base/time.ts';
import { holderOf, seconds, story } from '../../../testing/stories/story.ts';
import type { StageRun } from '../script/run.ts';

/** The first part of the show: A releases, and the message wakes B. */
export const RELEASE = `
  orders:42 lease 6s
  0.000  A attempts acquired
  2.000  A renews
  2.500  B attempts refused
  2.5010 B subscribes
  2.5020 B attempts refused
  4.000  A renews
  6.000  A renews
  7.000  A releases
  7.0003 B attempts acquired
  7.0010 B unsubscribes
  9.000  B renews
  10.000 B releases
`;

/** The second part of the show: A is killed at 13.5. The line that names the lock is in `RELEASE`. */
const CRASH = `
  11.000 A attempts acquired
  13.000 A renews
  14.000 B attempts refused
  14.001 B subscribes
  14.002 B attempts refused
  19.000 A hears expired
  19.0001 B attempts acquired
  19.001 B unsubscribes
  21.000 B renews
  22.000 B releases
`;

/** A run from the text of a story, with the faults that the demo reports. */
export function runOf(
  text: string,
  faults: readonly { at: number; client: string; name: 'killed' | 'frozen' | 'thawed' }[] = [],
): StageRun {
  const cast = ['A', 'B', 'C'].map((id) => ({ id, name: `client-${id}`, uuids: [uuidOf(id)] }));
  return {
    scenario: 'full-show',
    lock: 'orders:42',
    locks: [{ name: 'orders:42', source: null }],
    servers: [],
    localLocks: [],
    clientReports: [],
    serverFaults: [],
    groupOperations: [],
    from: redisTime(seconds(0) - 100_000),
    watchdogMs: 6000,
    cast,
    events: story(text).filter(({ lock }) => lock === 'orders:42'),
    faults: faults.map(({ at, client, name }) => ({ at: seconds(at), client, uuid: uuidOf(client), name })),
  };
}

export const SHOW = () => runOf(RELEASE + CRASH, [{ at: 13.5, client: 'A', name: 'killed' }]);

function uuidOf(id: string): string {
  return holderOf(id).split(':')[0] ?? '';
}
