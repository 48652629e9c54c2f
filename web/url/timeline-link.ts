import type { RedisTime } from '../../shared/base/time.ts';
import { instantText, LIVE, type Origin, originOf, parseInstant, parseSelected } from './moment.ts';
import { type LinkSpan, parseMinutes, parseSpan, type RangeMinutes, spanText } from './range.ts';

/** The contents of a link to the timeline. Times are absolute here; in the URL they count from the origin. */
export type TimelineLink = {
  /** Name of the only lock to show; empty shows all. */
  readonly lock: string;
  readonly view: LinkSpan | null;
  /** How much time is shown while the timeline follows now; null: as much as before. */
  readonly minutes: RangeMinutes | null;
  /** Committed zooms, widest first. */
  readonly zooms: readonly LinkSpan[];
  readonly at: RedisTime | null;
  /** `h7`, `w3`, `r8`, `e12`, `h7-2`. */
  readonly selected: string | null;
  readonly hidden: readonly string[];
  readonly pinned: readonly string[];
};

export const PLAIN_TIMELINE: TimelineLink = {
  lock: '',
  view: null,
  minutes: null,
  zooms: [],
  at: null,
  selected: null,
  hidden: [],
  pinned: [],
};

/** The parameters of the timeline. Other parameters in its URL are kept unchanged. */
export const TIMELINE_PARAMETERS = ['v', 'src', 'lock', 'view', 'last', 'zoom', 'at', 'sel', 'hide', 'pin'] as const;

const MOST_NAMES = 200;
const MOST_ZOOMS = 20;

/**
 * Reads a link. Unreadable parameters are ignored and listed in `broken`. If the link points into a recording that is
 * not open, its times and its selection are ignored and the recording is returned as `elsewhere`.
 *
 *   view=12040.2s+10s     begins 12,040.2 s after the origin, 10 s long
 *   at=12048.52s          one instant
 */
export function parseTimelineLink(query: URLSearchParams, here: Origin = LIVE) {
  const broken: string[] = [];
  const { origin, elsewhere, areSeqsOurs } = originOf(query, here);
  const read = <T>(name: string, parse: (text: string) => T | null): T | null => {
    const text = query.get(name);
    if (text === null) return null;
    const value = parse(text);
    if (value === null) broken.push(name);
    return value;
  };
  const version = query.get('v');
  if (version !== null && version !== '1') broken.push('v');
  const zooms = query
    .getAll('zoom')
    .slice(0, MOST_ZOOMS)
    .map((text) => parseSpan(text, origin));
  if (zooms.includes(null)) broken.push('zoom');
  const moments = {
    view: read('view', (text) => parseSpan(text, origin)),
    zooms: zooms.filter((zoom) => zoom !== null),
    at: read('at', (text) => parseInstant(text, origin)),
    selected: read('sel', parseSelected),
  };
  const link: TimelineLink = {
    ...PLAIN_TIMELINE,
    lock: query.get('lock') ?? '',
    minutes: read('last', parseMinutes),
    ...(elsewhere === null ? moments : {}),
    ...(areSeqsOurs ? {} : { selected: null }),
    hidden: query.getAll('hide').slice(0, MOST_NAMES),
    pinned: query.getAll('pin').slice(0, MOST_NAMES),
  };
  return { link, broken, elsewhere };
}

/** Writes a link into `query`, without parameters that have their default value. */
export function writeTimelineLink(link: TimelineLink, query: URLSearchParams, here: Origin = LIVE): void {
  const origin = here.at;
  const isMoment = link.view !== null || link.at !== null || link.zooms.length > 0 || link.selected !== null;
  if (isMoment) {
    query.set('v', '1');
    query.set('src', here.src);
  }
  if (link.lock !== '') query.set('lock', link.lock);
  if (link.view) query.set('view', spanText(link.view, origin));
  if (link.minutes !== null) query.set('last', String(link.minutes));
  for (const zoom of link.zooms) query.append('zoom', spanText(zoom, origin));
  if (link.at !== null) query.set('at', instantText(link.at, origin));
  if (link.selected !== null) query.set('sel', link.selected);
  for (const name of link.hidden) query.append('hide', name);
  for (const name of link.pinned) query.append('pin', name);
}
