import { type LetterSlots, letterIn } from '../data/letters.ts';
import type { Track } from './marks.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * Letters for threads that left before this page was opened: nobody gave them one. Where only one thread was ever
 * seen there is nobody to tell apart. Letters given or seen elsewhere are never used again.
 */
export function lettersForStrangers(
  tracks: readonly Track[],
  given: ReadonlyMap<string, string>,
  seen: ReadonlyMap<string, LetterSlots>,
): ReadonlyMap<string, string> {
  const letters = new Map<string, string>();
  for (const track of tracks) {
    const slots = seen.get(track.id) ?? [];
    const isAlone = track.lanes.length < 2;
    const isKnown = (holder: string) => given.has(holder) || letterIn(slots, holder) !== null;
    const used = new Set([...given.values(), ...slots.map((holder) => letterIn(slots, holder))]);
    for (const { holder } of track.lanes) {
      const own = letters.get(holder);
      if (own !== undefined) used.add(own);
    }
    for (const { holder } of track.lanes) {
      if (isAlone || isKnown(holder) || letters.has(holder)) continue;
      const free = [...ALPHABET].find((letter) => !used.has(letter));
      if (free === undefined) break;
      letters.set(holder, free);
      used.add(free);
    }
  }
  return letters;
}
