/** Round lengths in ms, about ten times apart, with units that people use: 1 ms, 1 s, 1 min, 1 h. */
const STEPS = [
  ...[0.001, 0.01, 0.1, 1, 10, 100, 1000, 10_000, 60_000, 600_000],
  ...[3_600_000, 36_000_000, 86_400_000, 864_000_000, 8_640_000_000],
];

/** Returns the two round lengths around all lengths (ms), for a logarithmic axis: a chart from 10 ms to 1 min shows 3 s. */
export function logBounds(lengths: readonly number[]): [from: number, to: number] {
  const from = STEPS.findLast((step) => step <= Math.min(...lengths) && step < LAST) ?? FIRST;
  const to = STEPS.find((step) => step > from && step >= Math.max(...lengths)) ?? LAST;
  return [from, to];
}

const [FIRST = 1] = STEPS;
const LAST = STEPS.at(-1) ?? 1;
