import { lockIdOf } from '../../shared/state/lock-state.ts';
import { goldens } from '../../shared/testing/read-trace.ts';
import { eventsFromTrace } from '../../shared/testing/trace-file.ts';
import type { Track } from '../timeline/model/marks.ts';
import { trackFromEvents } from '../timeline/model/track-from-events.ts';

/** The track of a lock in a trace of real clients. */
export function goldenTrack(folder: string, name: string, lock: string): Track {
  const golden = goldens().find((each) => each.folder === folder && each.name === name);
  if (!golden) throw new Error(`no trace ${folder}/${name}`);
  const events = eventsFromTrace(golden.trace(), golden.isPushFirst).filter((event) => event.lock === lock);
  const [first] = events;
  if (!first) throw new Error(`no ${lock} in ${folder}/${name}`);
  return trackFromEvents(lockIdOf(first), events);
}
