import { type Moment, type Origin, originOf, parseMoment, writeMoment } from './moment.ts';
import { type ChosenRange, isSpan, parseMinutes, parseSpan, spanText } from './range.ts';

/** The range that is shown if none was chosen: 5 minutes. */
export const USUAL_MINUTES = 5;

/** What the page about waits shows: one range, and the range to compare it with. */
export type WaitsLink = Moment & {
  /** The range to compare with: the range of the same length before it, or a chosen range; null: none. */
  readonly compared: 'before' | ChosenRange | null;
};

/** Reads a link. If it points into a recording that is not open, its ranges are ignored. */
export function parseWaitsLink(query: URLSearchParams, here: Origin) {
  const { moment, broken, elsewhere } = parseMoment(query, here);
  const { origin } = originOf(query, here);
  const compare = query.get('compare');
  const compared = compare === null ? null : parseCompared(compare, origin);
  if (compare !== null && compared === null) broken.push('compare');
  const link: WaitsLink = { ...moment, compared: elsewhere !== null && isSpan(compared) ? null : compared };
  return { link, broken, elsewhere };
}

/** Writes a link into `query`, without parameters that have their default value. */
export function writeWaitsLink(link: WaitsLink, query: URLSearchParams, here: Origin): void {
  const { compared } = link;
  writeMoment(link, query, here);
  if (isSpan(compared)) {
    query.set('v', '1');
    query.set('src', here.src);
  }
  if (compared === 'before') query.set('compare', '1');
  else if (compared !== null) query.set('compare', comparedText(compared, here));
}

/** `1` is the range before, `last15` the last 15 minutes, `12040.2s+10s` a range between two instants. */
function parseCompared(text: string, origin: Origin['at']): WaitsLink['compared'] {
  if (text === '1') return 'before';
  return parseMinutes(/^last(\d+)$/.exec(text)?.[1] ?? null) ?? parseSpan(text, origin);
}

function comparedText(compared: ChosenRange, here: Origin): string {
  return isSpan(compared) ? spanText(compared, here.at) : `last${compared}`;
}
