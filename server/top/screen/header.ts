import { lacksRights } from '../../../shared/wire/watched.ts';
import { printableInCell } from '../../cli/printable.ts';
import { lengthText, timeText } from '../../cli/text/lengths.ts';
import { type Line, line, type Part, withRight } from '../../cli/text/line.ts';
import { cutMiddle, widthOf, wrapped } from '../../cli/text/width.ts';
import type { Sight, SourceSight } from '../sight.ts';
import type { View } from '../view.ts';

const MOST_SOURCES = 3;
/** Rows of the reason why a source is not watched. */
const MOST_REASON = 2;
const LEAST_URL = 14;

/** The sources, Redis's time, and what cannot be seen at their levels. */
export function headerLines(sight: Sight, { isPaused }: Pick<View, 'isPaused'>, width: number): Line[] {
  const time = timeText(sight.sources[0]?.now ?? sight.at);
  const right: Part = isPaused ? { text: `PAUSED at ${time}`, look: 'warn' } : { text: time, look: 'plain' };
  // The sources that are not watched come first.
  const sources = [...sight.sources].sort((a, b) => Number(a.isWatched) - Number(b.isWatched));
  const rows = sources.slice(0, MOST_SOURCES).flatMap((source, index) => {
    const room = index === 0 ? width - widthOf(`${time}  `) - (isPaused ? widthOf('PAUSED at ') : 0) : width;
    return sourceLines(source, width, room);
  });
  const first = rows[0] ?? line('No server is known yet.');
  return [
    withRight(first.parts, right, width),
    ...rows.slice(1),
    ...moreLines(sources.slice(MOST_SOURCES)),
    ...unseenLines(sight, width),
  ];
}

/** `2 more sources are watched.`, `1 more source is not watched.` or `3 more sources: 1 is watched, 2 are not.` */
function moreLines(sources: readonly SourceSight[]): Line[] {
  if (sources.length === 0) return [];
  const watched = sources.filter(({ isWatched }) => isWatched).length;
  const others = sources.length - watched;
  const more = `${sources.length} more source${sources.length === 1 ? '' : 's'}`;
  if (others === 0) return [line({ text: `${more} ${are(watched)} watched.`, look: 'quiet' })];
  const rest =
    watched === 0
      ? ` ${are(others)} not watched`
      : `: ${watched} ${are(watched)} watched, ${others} ${are(others)} not`;
  return [line({ text: `${more}${rest}.`, look: 'warn' })];
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function sourceLines(sight: SourceSight, width: number, room: number): Line[] {
  const { source, isWatched, unwatchedSince } = sight;
  const url = printableInCell(source.url);
  if (isWatched) {
    const guard = source.guard.reason === undefined ? [] : wrapped(source.guard.reason, width).slice(0, MOST_REASON);
    return [line(watchedText(url, source, room)), ...guard.map((text) => line({ text, look: 'warn' }))];
  }
  const { problem, nextTryMs, status } = source;
  if (status === 'connecting' && !problem)
    return [line(`Connecting to ${cutMiddle(url, Math.max(LEAST_URL, room - 15))}`)];
  const state = unwatchedSince === null ? 'NOT WATCHED' : `NOT WATCHED since ${timeText(unwatchedSince)}`;
  const next = nextTryMs === undefined ? '' : ` Next attempt in ${lengthText(nextTryMs + 999)}.`;
  const reason = problem ? `${problem.message} ${problem.hint}${next}` : `Its connection is ${status}.${next}`;
  const place = cutMiddle(url, Math.max(LEAST_URL, room - state.length - 2));
  return [
    line({ text: state, look: 'bad' }, `  ${place}`),
    ...wrapped(printableInCell(reason), width)
      .slice(0, MOST_REASON)
      .map((text) => line(text)),
  ];
}

/** `redis://127.0.0.1:6379  Redis 7.0.15  level events  lag 12 ms`; in a narrow window without version and lag. */
function watchedText(url: string, { redisVersion, role, level, lagMs }: SourceSight['source'], room: number): string {
  const version = `Redis ${printableInCell(redisVersion)}${role === 'replica' ? ' replica' : ''}`;
  const lag = `lag ${Math.round(lagMs)} ms`;
  const ends = [[version, `level ${level}`, lag], [`level ${level}`, lag], [`level ${level}`]];
  const least = Math.min(widthOf(url), LEAST_URL);
  const texts = ends.map((end) => end.map((text) => `  ${text}`).join(''));
  const end = texts.find((text) => widthOf(text) + least <= room) ?? texts.at(-1) ?? '';
  return `${cutMiddle(url, Math.max(least, room - widthOf(end)))}${end}`;
}

function unseenLines({ sources }: Sight, width: number): Line[] {
  const unseen = [...new Set(sources.filter(({ isWatched }) => isWatched).flatMap(({ source }) => source.cannotSee))];
  const [first] = unseen;
  if (first === undefined) return [];
  const look = sources.some(({ source }) => lacksRights(source)) ? 'warn' : 'quiet';
  const more = { text: unseen.length > 1 ? `+${unseen.length - 1}, press ?` : '', look: 'quiet' } as const;
  return [withRight([{ text: `Cannot see: ${first}`, look }], more, width)];
}
