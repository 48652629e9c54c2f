import { type Moment, type Origin, originOf, parseMoment, writeMoment } from './moment.ts';
import { type LinkSpan, parseSpan, spanText } from './timeline-link.ts';

/** For how many minutes up to now, or up to the cursor, waits are added up. */
export const WAITS_MINUTES = [1, 5, 15, 60] as const;
export type WaitsMinutes = (typeof WAITS_MINUTES)[number];

/** A stretch as the reader chose it: two instants, or how many minutes up to now, or up to the cursor. */
export type ChosenStretch = LinkSpan | WaitsMinutes;

/** What the page about waits shows: one stretch, or the last minutes. */
export type WaitsLink = Moment & {
  readonly stretch: LinkSpan | null;
  readonly minutes: WaitsMinutes;
  /** The stretch to compare with: the one of the same length before, or a chosen one; null: none. */
  readonly compared: 'before' | ChosenStretch | null;
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
  const compare = query.get('compare');
  const compared = compare === null ? null : parseCompared(compare, origin);
  if (compare !== null && compared === null) broken.push('compare');
  const isElsewhere = elsewhere !== null;
  const link: WaitsLink = {
    ...moment,
    stretch: isElsewhere ? null : stretch,
    minutes: minutes ?? 5,
    compared: isElsewhere && isSpan(compared) ? null : compared,
  };
  return { link, broken, elsewhere };
}

/** Writes a link into `query`, without parameters that have their default value. */
export function writeWaitsLink(link: WaitsLink, query: URLSearchParams, here: Origin): void {
  const { stretch, minutes, compared } = link;
  writeMoment(link, query, here);
  if (stretch || isSpan(compared)) {
    query.set('v', '1');
    query.set('src', here.src);
  }
  if (stretch) query.set('view', spanText(stretch, here.at));
  if (compared === 'before') query.set('compare', '1');
  else if (compared !== null) query.set('compare', comparedText(compared, here));
  if (minutes !== 5) query.set('last', String(minutes));
}

/** Whether a stretch is chosen by its two instants. */
export function isSpan(chosen: WaitsLink['compared']): chosen is LinkSpan {
  return typeof chosen === 'object' && chosen !== null;
}

/** `1` is the stretch before, `last15` the last 15 minutes, `12040.2s+10s` a stretch. */
function parseCompared(text: string, origin: Origin['at']): WaitsLink['compared'] {
  if (text === '1') return 'before';
  return WAITS_MINUTES.find((each) => text === `last${each}`) ?? parseSpan(text, origin);
}

function comparedText(compared: ChosenStretch, here: Origin): string {
  return isSpan(compared) ? spanText(compared, here.at) : `last${compared}`;
}
