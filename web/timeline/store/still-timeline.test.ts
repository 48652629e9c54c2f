import { expect, test } from 'vitest';
import { seconds } from '../../../testing/stories/story.ts';
import { LiveStore } from '../../data/live/live-store.ts';
import { rangeOf } from '../../testing/loaded-range.ts';
import { makeEvent } from '../../testing/make.ts';
import { RowCache } from './row-cache.ts';
import { StillTimeline } from './still-timeline.ts';

test('if several databases and servers have locks of the same name, only the chosen lock is drawn', () => {
  const taken = { type: 'lock.acquired', lock: 'a', mode: 'exclusive', holdCount: 1 } as const;
  const events = [
    makeEvent(1, { ...taken, source: 's', db: 0 }),
    makeEvent(2, { ...taken, source: 's', db: 1 }),
    makeEvent(3, { ...taken, source: 't', db: 1 }),
  ];
  const timeline = new StillTimeline(new LiveStore(), 's/1/a', { from: seconds(0), to: seconds(9) });
  timeline.window.replace(rangeOf(events));
  timeline.arrange();
  const { rows } = new RowCache(timeline).get();
  expect(new Set(rows.flatMap((row) => ('lockId' in row ? [row.lockId] : [])))).toEqual(new Set(['s/1/a']));
});
