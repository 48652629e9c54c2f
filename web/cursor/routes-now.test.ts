import { beforeEach, describe, expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { hrefFromRoute } from '../url/route-link.ts';
import { PLAIN_TIMELINE } from '../url/timeline-link.ts';
import { followNow, pauseAt } from './cursor.ts';
import { eventsNow, lockNow, rememberTimeline, timelineAt, timelineNow, timelineOf } from './routes-now.ts';
import { chooseEvent, chooseMark, currentSelection } from './selection.ts';

const AT = redisTime(12_048_520_000);
const VIEW = { from: redisTime(12_040_000_000), to: redisTime(12_050_000_000) };

beforeEach(() => {
  followNow();
  chooseMark(null);
  rememberTimeline(PLAIN_TIMELINE);
});

describe('links between the pages', () => {
  test('are plain while the page is live', () => {
    chooseMark('e7');
    expect(hrefFromRoute(timelineNow())).toBe('/timeline');
    expect(hrefFromRoute(eventsNow())).toBe('/events');
    expect(hrefFromRoute(lockNow({ name: 'a', source: 's', db: 0 }))).toBe('/locks/a?source=s&db=0');
  });

  test('keep cursor and selection while the page is paused', () => {
    pauseAt(AT);
    chooseMark('w7');
    expect(hrefFromRoute(eventsNow())).toBe('/events?v=1&src=live&at=12048.52s&sel=e7');
    expect(hrefFromRoute(lockNow({ name: 'a', source: 's', db: 0 }))).toBe(
      '/locks/a?source=s&db=0&v=1&src=live&at=12048.52s&sel=e7',
    );
    expect(hrefFromRoute(timelineNow())).toBe('/timeline?v=1&src=live&at=12048.52s&sel=w7');
  });

  test('keep the view of the timeline only if the cursor is within it', () => {
    rememberTimeline({ ...PLAIN_TIMELINE, view: VIEW, lock: 'a', hidden: ['b'] });
    pauseAt(AT);
    expect(timelineNow().link).toMatchObject({ view: VIEW, at: AT, lock: 'a', hidden: ['b'] });
    pauseAt(redisTime(VIEW.to + 1));
    expect(timelineNow().link).toMatchObject({ view: null, lock: 'a' });
  });

  test('select the event that they lead to, and hide nothing if they lead to the timeline of one lock', () => {
    rememberTimeline({ ...PLAIN_TIMELINE, lock: 'other', hidden: ['a'] });
    expect(timelineAt({ seq: 9, at: AT }).link).toEqual({ ...PLAIN_TIMELINE, at: AT, selected: 'e9' });
    expect(timelineOf('a').link).toMatchObject({ lock: 'a', hidden: [] });
  });

  test('keep the selected mark if they lead to its first event, and replace it for another event', () => {
    chooseMark('h7');
    chooseEvent(7);
    expect(currentSelection()).toBe('h7');
    expect(timelineAt({ seq: 7, at: AT }).link.selected).toBe('h7');
    chooseEvent(8);
    expect(currentSelection()).toBe('e8');
  });
});
