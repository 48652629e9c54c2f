import type { LockEvent } from '../../../shared/events/event.ts';
import { GroupFinder } from '../../../shared/events/groups/group-finder.ts';
import { story } from '../../../testing/stories/story.ts';
import type { StageLock, StageRun } from '../script/run.ts';
import { runOf } from './runs.ts';

/**
 * The events of several stories in order of time, with new `seq`s. Each story has one lock; `source` puts it on another
 * server.
 */
export function together(...stories: readonly { text: string; source?: string }[]): LockEvent[] {
  const all = stories.flatMap(({ text, source }, n) =>
    story(text).map((event) => ({ event: source === undefined ? event : { ...event, source }, n })),
  );
  all.sort((a, b) => a.event.at - b.event.at);
  const seqs = new Map(all.map(({ event, n }, index) => [`${n} ${event.seq}`, index + 1]));
  const groups = new GroupFinder();
  return all.map(({ event, n }, index) => {
    const because = event.because?.flatMap((seq) => seqs.get(`${n} ${seq}`) ?? []);
    return groups.take({ ...event, seq: index + 1, ...(because && { because }) });
  });
}

/** A run with these locks on the stage. */
export function runWith(
  locks: readonly StageLock[],
  events: readonly LockEvent[],
  more: Partial<StageRun> = {},
): StageRun {
  return { ...runOf('orders:42 lease 6s'), lock: locks[0]?.name ?? '', locks, events, ...more };
}
