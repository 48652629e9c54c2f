import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { seconds } from '../../../testing/stories/story.ts';
import { WATCHED_SOURCE } from '../../../testing/stories/watched-source.ts';
import { EventStore } from '../../watch/store/event-store.ts';
import type { Observed } from '../look.ts';

/** The real memory of events with the events of a story, and a clock that the test sets. */
export type StoryObservatory = Observed & {
  /** Adds the events until this second of the story, and sets the clock. */
  passTo(second: number): void;
  setSource(change: Partial<Source>): void;
};

/** An observatory of these events, of one or several stories, as one source. `level`: how that source is watched. */
export function observeStory(
  events: readonly LockEvent[],
  { level = 'monitor' }: { level?: Source['level'] } = {},
): StoryObservatory {
  let now: RedisTime = seconds(0);
  let source = sourceAt(level);
  const store = new EventStore(() => now);
  const waiting = [...events].sort((a, b) => a.at - b.at);
  store.sourcesChanged([source]);
  return {
    ...store.answers,
    history: Object.assign(store.history, { signals: async () => undefined }),
    now: () => now,
    sources: () => [source],
    passTo(second) {
      now = seconds(second);
      const next = waiting.findIndex(({ at }) => at > now);
      const due = waiting.splice(0, next === -1 ? waiting.length : next);
      const firstSeq = store.history.nextSeq();
      store.add(due.map((event, n) => ({ ...event, seq: firstSeq + n })));
    },
    setSource(change) {
      source = { ...source, ...change };
      store.sourcesChanged([source]);
    },
  };
}

function sourceAt(level: Source['level']): Source {
  const unseen = level === 'monitor' ? [] : [problem('unseen-attempts'), problem('unseen-senders')];
  const cannotSee = unseen.map(({ message }) => message);
  return { ...WATCHED_SOURCE, id: 'story', level, lagMs: 12, unseen, cannotSee };
}
