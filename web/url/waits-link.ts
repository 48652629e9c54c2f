import { type Moment, type Origin, originOf, parseMoment, writeMoment } from './moment.ts';
import { type LinkSpan, parseSpan, spanText } from './timeline-link.ts';

/** For how many minutes up to now, or up to the cursor, waits are added up. */
export const WAITS_MINUTES = [1, 5, 15, 60] as const;
export type WaitsMinutes = (typeof WAITS_MINUTES)[number];

/** What the page about waits shows: one stretch, or the last minutes. `isCompared`: beside the stretch before. */
export type WaitsLink = Moment & {
  readonly stretch: LinkSpan | null;
  readonly minutes: WaitsMinutes;
  readonly isCompared: boolean;
};

/** Reads a link. If it points into a recording that is not open, its stretch is ignored. */
export function parseWaitsLink(query: URLSearchParams, here: Origin) {
  const { moment, broken, elsewhere } = parseMoment(query, here);
  const { origin } = originOf(query, here);
  const [view, last] = [query.get('view'), query.get('last')];
  const stretch = view === null ? null : parseSpan(view, origin);
  const minutes = WAITS_MINUTES.find((each) => String(each) === last);
  if (view !== null && stretch === null) broken.push('view');
  if (last !== null && minutes === undefined) broken.push('last');
  const isCompared = query.get('compare') === '1';
  const link: WaitsLink = {
    ...moment,
    stretch: elsewhere === null ? stretch : null,
    minutes: minutes ?? 5,
    isCompared,
  };
  return { link, broken, elsewhere };
}

/** Writes a link into `query`, without parameters that have their default value. */
export function writeWaitsLink(link: WaitsLink, query: URLSearchParams, here: Origin): void {
  const { stretch, minutes, isCompared } = link;
  writeMoment(link, query, here);
  if (stretch) {
    query.set('v', '1');
    query.set('src', here.src);
    query.set('view', spanText(stretch, here.at));
  }
  if (isCompared) query.set('compare', '1');
  if (minutes !== 5) query.set('last', String(minutes));
}
