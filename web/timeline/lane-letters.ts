import { type LetterSlots, letterIn } from '../data/letters.ts';
import type { Track } from './marks.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * Letters for threads that left before this page was opened: nobody gave them one. Where only one thread was ever
 * seen there is nobody to tell apart. At no lock do two threads have the same letter.
 */
export function lettersForStrangers(
  tracks: readonly Track[],
  given: ReadonlyMap<string, string>,
  seen: ReadonlyMap<string, LetterSlots>,
): ReadonlyMap<string, string> {
  const letters = new Map<string, string>();
  const shared = tracks.filter(({ lanes }) => lanes.length > 1);
  const at = new Map<string, Track[]>();
  for (const track of shared) for (const { holder } of track.lanes) at.set(holder, [...(at.get(holder) ?? []), track]);
  for (const [holder, own] of at) {
    const slots = own.map(({ id }) => seen.get(id) ?? []);
    if (given.has(holder) || slots.some((each) => letterIn(each, holder) !== null)) continue;
    const used = new Set<string | null | undefined>(given.values());
    for (const each of slots) for (const other of each) used.add(letterIn(each, other));
    for (const { lanes } of own) for (const other of lanes) used.add(letters.get(other.holder));
    const free = [...ALPHABET].find((letter) => !used.has(letter));
    if (free !== undefined) letters.set(holder, free);
  }
  return letters;
}
