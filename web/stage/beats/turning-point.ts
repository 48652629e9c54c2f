import type { RedisTime } from '../../../shared/base/time.ts';
import type { Caption } from '../captions/caption.ts';
import type { Storyboard } from './beats-from-events.ts';

/** Captions of the instants at which the lock page best shows what a scenario is about. */
const TURNS: ReadonlySet<string> = new Set([
  'taken-while-believed',
  'thawed-while-taken',
  'overdue',
  'unlock-refused',
  'circle',
  'crowd-message',
  'not-head',
  'permit-expired',
  'overtaken-with-token',
]);

/**
 * The instant to look at on the lock page: the last such caption. Null if the run has none, so that the page shows now.
 */
export function turningPoint({ beats }: Storyboard): RedisTime | null {
  return beats.findLast(({ caption }) => caption !== null && TURNS.has(wordOf(caption)))?.at ?? null;
}

function wordOf(caption: Caption): string {
  return caption.is === 'several' || caption.is === 'of-kind' ? caption.what.is : caption.is;
}
