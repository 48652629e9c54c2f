import type { RecordingMount } from './http/recording-mount.ts';
import { type MountContext, mountObservatory } from './mount-observatory.ts';
import type { ReadFile } from './recordings/read-file.ts';
import type { RecordFiles } from './recordings/record-files.ts';
import { Store } from './recordings/store.ts';
import { openRecordingsWithin } from './watch/terms/memory-shares.ts';

/** The recordings of this Lockscope. An open recording has pages, an API and a live channel under its own path. */
export function createStore(
  context: MountContext,
  records: RecordFiles | undefined,
  read?: ReadFile,
): Store<RecordingMount> {
  return new Store({
    open: openRecordingsWithin(context.memory),
    ...{ records, read },
    mount: (id, observatory) => mountObservatory(context, { of: 'recording', path: `/recordings/${id}` }, observatory),
  });
}
