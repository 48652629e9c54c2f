import { redisTime } from '../../../shared/base/time.ts';
import { nameInId } from '../../../shared/state/lock-state.ts';
import type { LiveStore } from '../../data/live/live-store.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { WindowFeed } from '../../data/window/window-feed.ts';
import { redisNow } from '../../data/window/window-of.ts';
import { ANSWER_MS } from '../../data/window/window-request.ts';
import { utcText } from '../../share/markdown.ts';
import type { PictureRequest } from '../../share/picture-maker.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { namesFrom } from '../model/people-names.ts';
import { readGone } from '../store/gone-clients.ts';
import { RowCache } from '../store/row-cache.ts';
import { StillTimeline } from '../store/still-timeline.ts';
import { pictureFile } from './picture-file.ts';

/**
 * Reads the events of a lock and draws them as a PNG file; null if nothing is known about the lock in that time.
 * `given`: the letters of the demo's clients.
 */
export async function pictureOfLock(
  live: LiveStore,
  request: PictureRequest,
  given: ReadonlyMap<string, string>,
): Promise<Blob | null> {
  const to = redisTime(Math.min(request.to, redisNow(live)));
  const span = { from: request.from, to: redisTime(Math.max(to, request.from + 1)) };
  const timeline = new StillTimeline(live, request.lockId, span);
  const feed = new WindowFeed(live, timeline, undefined, timeline.window);
  try {
    await feed.reach(span, span.to, true);
    await readGone(timeline, AbortSignal.timeout(ANSWER_MS)).catch(() => undefined);
    timeline.arrange();
    timeline.fitToMemory();
    const { rows } = new RowCache(timeline).get();
    const title = visibleText(nameInId(request.lockId));
    const nameOf = namesFrom(given, live.get(), false);
    const view = timeline.view();
    return await pictureFile(timeline, rows, view, { title, foot: footOf(view), nameOf });
  } finally {
    feed.end();
  }
}

/** The time range of a picture in UTC, so that it is the same for every reader. */
export function footOf({ from, to }: TimeSpan): string {
  return `Lockscope · ${utcText(from)} – ${utcText(to)}`;
}
