import type { LiveActivity } from '../layout/pace.ts';
import type { Scene } from '../layout/scene.ts';
import type { TimelineStore } from '../store/timeline-store.ts';

/** An event this long ago still counts as activity. */
const BUSY_MICROS = 3_000_000;

/** What changes in the live picture of a scene besides the time. */
export function liveActivityOf(timeline: TimelineStore, scene: Scene | null): LiveActivity {
  const { locks } = timeline.live.get();
  const isOpen = (scene?.rows ?? []).some(({ row }) => {
    const lock = row.kind === 'quiet' ? undefined : locks.get(row.lockId);
    return lock !== undefined && (lock.held || lock.waiters.length > 0);
  });
  return { isOpen, isBusy: timeline.now() - (timeline.window.events.at(-1)?.at ?? 0) < BUSY_MICROS };
}
