import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { LIVE, type Origin, seqOfId } from './moment.ts';
import { TIMELINE } from './route.ts';
import { hrefFromRoute, parseRoute } from './route-link.ts';
import { PLAIN_TIMELINE, parseTimelineLink, type TimelineLink, writeTimelineLink } from './timeline-link.ts';

function roundTrip(link: TimelineLink, origin: Origin = LIVE): TimelineLink {
  const query = new URLSearchParams();
  writeTimelineLink(link, query, origin);
  return parseTimelineLink(new URLSearchParams(query.toString()), origin).link;
}

test('the plain timeline has the shortest URL', () => {
  expect(hrefFromRoute(TIMELINE)).toBe('/timeline');
  expect(parseRoute('/timeline', '')).toEqual(TIMELINE);
});

test('a link written to a URL and read back is the same, to the microsecond and with hostile names', () => {
  const instant = fc.integer({ min: 1_500_000_000_000_000, max: 2_500_000_000_000_000 });
  const name = fc.string({ minLength: 1, maxLength: 20, unit: 'binary' });
  fc.assert(
    fc.property(
      instant,
      fc.integer({ min: 1, max: 86_400_000_000 }),
      fc.array(name, { maxLength: 3 }),
      (at, long, names) => {
        const span = { from: redisTime(at), to: redisTime(at + long) };
        const link = {
          ...PLAIN_TIMELINE,
          view: span,
          zooms: [span],
          at: redisTime(at),
          selected: 'w17',
          hidden: names,
        };
        expect(roundTrip(link)).toEqual(link);
      },
    ),
  );
});

test('times are measured from the origin of their source', () => {
  const origin = { src: 'night.lockscope', at: redisTime(1_700_000_000_000_000) };
  const view = { from: redisTime(origin.at + 12_040_200_000), to: redisTime(origin.at + 12_050_200_000) };
  const query = new URLSearchParams();
  writeTimelineLink({ ...PLAIN_TIMELINE, view }, query, origin);
  expect(query.get('view')).toBe('12040.2s+10s');
  expect(query.get('src')).toBe('night.lockscope');
  expect(roundTrip({ ...PLAIN_TIMELINE, view }, origin).view).toEqual(view);
});

test('an unescaped plus in a URL is read as a plus', () => {
  expect(parseTimelineLink(new URLSearchParams('view=1.5s+10s')).link.view).toEqual({
    from: 1_500_000,
    to: 11_500_000,
  });
});

test('unreadable parameters are dropped and listed, but unknown parameters are kept', () => {
  const { link, broken } = parseTimelineLink(new URLSearchParams('v=9&view=soon&at=10&sel=<b>&zoom=1s+0s'));
  expect(link).toEqual(PLAIN_TIMELINE);
  expect(broken.sort()).toEqual(['at', 'sel', 'v', 'view', 'zoom']);
  expect(hrefFromRoute(TIMELINE, new URLSearchParams('?share=x&view=1s%2B2s'))).toBe('/timeline?share=x');
});

const NIGHT: Origin = { src: 'night.lockscope', at: redisTime(1_700_000_000_000_000) };

test('a link into another recording keeps the name of that recording, but no times and no selection', () => {
  const query = new URLSearchParams('v=1&src=day.lockscope&lock=a&at=5s&view=1s+9s&zoom=1s+9s&sel=h7');
  const { link, elsewhere, broken } = parseTimelineLink(query, NIGHT);
  expect(elsewhere).toBe('day.lockscope');
  expect(broken).toEqual([]);
  expect(link).toEqual({ ...PLAIN_TIMELINE, lock: 'a' });
  expect(parseTimelineLink(query, LIVE).elsewhere).toBe('day.lockscope');
});

test('in an open recording the absolute time of a live link is used, but not its event number', () => {
  const query = new URLSearchParams('v=1&src=live&at=1700000005s&sel=h7');
  const { link, elsewhere } = parseTimelineLink(query, NIGHT);
  expect(elsewhere).toBeNull();
  expect(link).toEqual({ ...PLAIN_TIMELINE, at: redisTime(NIGHT.at + 5_000_000) });
});

test.each(['h7', 'w3', 'r8', 'e12', 'h7-2'])('a link names a mark by its id: %s', (id) => {
  expect(parseTimelineLink(new URLSearchParams(`v=1&src=live&sel=${id}`)).broken).toEqual([]);
  expect(seqOfId(id)).toBe(Number(/\d+/.exec(id)?.[0]));
});
