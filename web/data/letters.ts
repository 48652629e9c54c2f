const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Who has which letter at one lock: slot 0 is A, slot 1 is B, … */
export type LetterSlots = readonly string[];

/**
 * Gives every one present a letter and keeps the letters of those who left, for as long as there are free ones.
 * When all 26 are taken, a newcomer gets the letter of someone who left.
 */
export function lettersAfter(slots: LetterSlots, present: readonly string[]): LetterSlots {
  if (present.every((id) => slots.includes(id))) return slots;
  const next = [...slots];
  for (const id of present) {
    if (next.includes(id)) continue;
    if (next.length < ALPHABET.length) next.push(id);
    else {
      const left = next.findIndex((other) => !present.includes(other));
      if (left === -1) break;
      next[left] = id;
    }
  }
  return next;
}

/** The letter of `id`, or null when it has none. Where only one was ever seen, there is nobody to tell apart. */
export function letterIn(slots: LetterSlots | undefined, id: string): string | null {
  if (slots === undefined || slots.length < 2) return null;
  const slot = slots.indexOf(id);
  return slot === -1 ? null : (ALPHABET[slot] ?? null);
}
