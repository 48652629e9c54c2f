/** Random choices that are the same for the same seed. */
export type Chance = {
  /** A number from 0 to below 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  isTrue(probability: number): boolean;
  /** One item of the list. Throws if the list is empty. */
  oneOf<T>(list: readonly T[]): T;
};

/** Returns a separate generator for each combination of seed and words: the use of one does not change another. */
export function chanceFrom(...seed: readonly (string | number)[]): Chance {
  let state = hashOf(seed.join('/'));
  // mulberry32: small, fast, and good enough for choosing operations.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    isTrue: (probability) => next() < probability,
    oneOf: (list) => {
      const chosen = list[Math.floor(next() * list.length)];
      if (chosen === undefined) throw new Error('nothing to choose from');
      return chosen;
    },
  };
}

/** The seed from `SEED=`, otherwise a new one. */
export function seedOfRun(): string {
  return process.env.SEED || String(Math.floor(Math.random() * 1e9));
}

function hashOf(text: string): number {
  let hash = 2166136261;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619);
  return hash | 0;
}
