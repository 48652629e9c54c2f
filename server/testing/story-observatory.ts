import type { LockEvent } from '../../shared/events/event.ts';
import { seconds } from '../../testing/stories/story.ts';
import type { Observatory } from '../watch/observatory.ts';
import { EventStore } from '../watch/store/event-store.ts';
import { makeMemoryObservatory } from './memory-observatory.ts';

/** How the source of a story is watched, from the beginning. */
type Watching = { readonly level?: 'events' | 'monitor'; readonly hasLooked?: boolean };

/** An observatory as of a second of a story. `hasLooked`: the detectors have looked at that second. */
export function observeStoryAt(
  second: number,
  events: readonly LockEvent[],
  { level = 'monitor', hasLooked = false }: Watching = {},
): Observatory {
  const memory = makeMemoryObservatory();
  let now = seconds(-1);
  const store = new EventStore(() => now);
  const [source] = memory.sources();
  if (!source) throw new Error('no source');
  store.sourcesChanged([{ ...source, id: 'story', level, status: 'observing' }]);
  store.add(events);
  now = seconds(second);
  if (hasLooked) Array.from(store.look(now));
  return { ...memory, ...store.answers, history: Object.assign(store.history, { signals: async () => undefined }) };
}
