import type { Source } from '../../../shared/wire/source.ts';
import type { LiveMessage, LiveState } from './live-state.ts';

/** Figures of a source that change all the time and may be shown a second late. */
const FIGURES: ReadonlySet<string> = new Set<keyof Source>([
  'lagMs',
  'linesPerSecond',
  'snapshotAt',
  'clockOffsetMs',
  'monitor',
  'server',
]);

/** True if a message changes nothing but figures of sources and the time of the last message. */
export function bringsOnlyFigures(message: LiveMessage, state: LiveState): boolean {
  if (message.type === 'heard') return true;
  if (state.link !== 'live') return false;
  if (message.type === 'sources') return areSameButFigures(message.sources, state.sources);
  if (message.type !== 'batch') return false;
  const { toSeq, events, locks, gone, skipped = 0, sources } = message.message;
  const isSilent = toSeq === state.seq && events.length + locks.length + gone.length + skipped === 0;
  return isSilent && (sources === undefined || areSameButFigures(sources, state.sources));
}

function areSameButFigures(next: readonly Source[], known: readonly Source[]): boolean {
  return next.length === known.length && next.every((source, n) => known[n] !== undefined && isSame(source, known[n]));
}

function isSame(a: Source, b: Source): boolean {
  return text(a) === text(b);
}

function text(source: Source): string {
  return JSON.stringify(source, (key, value: unknown) => (FIGURES.has(key) ? undefined : value));
}
