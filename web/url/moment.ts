import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { type ChosenRange, isSpan, parseMinutes, parseSpan, RANGE_PARAMETERS, secondsText, spanText } from './range.ts';

/**
 * The instant that times in a link count from. While live, it is the epoch, and `src` is `live`. In a recording, it is
 * the start, and `src` is the name of the recording.
 */
export type Origin = { readonly src: string; readonly at: RedisTime };

export const LIVE: Origin = { src: 'live', at: redisTime(0) };

/** An instant, the selection and the range of time of a link. Links to the timeline have them in another form. */
export type Moment = {
  /** Null: now. */
  readonly at: RedisTime | null;
  /** `seq` of the selected event. */
  readonly selected: number | null;
  /** Absent: none was chosen, and each page shows its usual one. */
  readonly range?: ChosenRange;
};

export const MOMENT_PARAMETERS = ['v', 'src', 'at', 'sel', ...RANGE_PARAMETERS] as const;

/**
 * Returns the origin of a link's times. Live links carry absolute time, which may be within the open recording; their
 * event numbers do not apply there (`areSeqsOurs` is false). A link into a recording that is not open has no valid
 * times: the name of the recording is returned as `elsewhere`.
 */
export function originOf(query: URLSearchParams, here: Origin) {
  const src = query.get('src') ?? here.src;
  if (src === here.src) return { origin: here.at, elsewhere: null, areSeqsOurs: true };
  if (src === LIVE.src) return { origin: LIVE.at, elsewhere: null, areSeqsOurs: false };
  return { origin: here.at, elsewhere: src.slice(0, LONGEST_SRC), areSeqsOurs: false };
}

const LONGEST_SRC = 200;

/** Reads a moment. Unreadable parameters are ignored and listed in `broken`. */
export function parseMoment(query: URLSearchParams, here: Origin) {
  const broken: string[] = [];
  const { origin, elsewhere, areSeqsOurs } = originOf(query, here);
  const atText = query.get('at');
  const at = atText === null ? null : parseInstant(atText, origin);
  if (atText !== null && at === null) broken.push('at');
  const selText = query.get('sel');
  const id = selText === null ? null : parseSelected(selText);
  if (selText !== null && id === null) broken.push('sel');
  const version = query.get('v');
  if (version !== null && version !== '1') broken.push('v');
  const [view, last] = [query.get('view'), query.get('last')];
  const span = view === null ? null : parseSpan(view, origin);
  const minutes = parseMinutes(last);
  if (view !== null && span === null) broken.push('view');
  if (last !== null && minutes === null) broken.push('last');
  const range = (elsewhere === null ? span : null) ?? minutes;
  const moment: Moment = {
    at: elsewhere === null ? at : null,
    selected: areSeqsOurs && id !== null ? seqOfId(id) : null,
    ...(range === null ? {} : { range }),
  };
  return { moment, broken, elsewhere };
}

/** Writes a moment into `query`. Writes nothing for "now, nothing selected, no range chosen". */
export function writeMoment({ at, selected, range }: Moment, query: URLSearchParams, here: Origin): void {
  if (at !== null) {
    query.set('v', '1');
    query.set('src', here.src);
    query.set('at', instantText(at, here.at));
  } else if (selected !== null && here.src !== LIVE.src) query.set('src', here.src);
  if (isSpan(range)) {
    query.set('v', '1');
    query.set('src', here.src);
    query.set('view', spanText(range, here.at));
  } else if (range !== undefined) query.set('last', String(range));
  if (selected !== null) query.set('sel', `e${selected}`);
}

/**
 * Checks the id of a mark: `h7`, `w3`, `r8`, `e12` are a hold, a wait, a run of attempts and an event, by the `seq` of
 * their first event. `h7-2` is one of several holds that the same event began. Returns null for anything else.
 */
export function parseSelected(text: string): string | null {
  return /^[ehrw]\d{1,15}(?:-\d{1,4})?$/.test(text) ? text : null;
}

/** Returns the `seq` in a mark's id. */
export function seqOfId(id: string): number {
  return Number.parseInt(id.slice(1), 10);
}

/** Parses an instant such as `12048.52s`; null if the text has another form. */
export function parseInstant(text: string, origin: RedisTime): RedisTime | null {
  const found = /^(-?\d{1,12}(?:\.\d{1,6})?)s$/.exec(text);
  return found ? redisTime(origin + Math.round(Number(found[1]) * 1e6)) : null;
}

/** Writes an instant as seconds after the origin. */
export function instantText(at: RedisTime, origin: RedisTime): string {
  return `${secondsText(at - origin)}s`;
}
