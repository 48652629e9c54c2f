import { lockIdOf } from '../../shared/state/lock-state.ts';
import { goldens } from '../../testing/traces/read-trace.ts';
import { eventsFromTrace } from '../../testing/traces/trace-file.ts';
import type { Track } from '../timeline/model/marks.ts';
import { trackFromEvents } from '../timeline/model/track-from-events.ts';

/** Returns the track of a lock from a recorded trace of real clients. Throws if the trace or the lock is missing. */
export function goldenTrack(folder: string, name: string, lock: string): Track {
  const golden = goldens().find((each) => each.folder === folder && each.name === name);
  if (!golden) throw new Error(`no trace ${folder}/${name}`);
  const events = eventsFromTrace(golden.trace(), golden.isPushFirst).filter((event) => event.lock === lock);
  const [first] = events;
  if (!first) throw new Error(`no ${lock} in ${folder}/${name}`);
  return trackFromEvents(lockIdOf(first), events);
}
