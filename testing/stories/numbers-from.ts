/** A generator of integers below a limit, the same for the same seed (linear congruential, as in C's `rand`). */
export function numbersFrom(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * limit);
  };
}
