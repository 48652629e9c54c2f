import { COARSE_LENGTHS as STEPS } from '../../shared/base/round-lengths.ts';

/**
 * Returns the two round lengths around all lengths (ms), for a logarithmic axis: a chart from 10 ms to 1 min shows 3 s.
 */
export function logBounds(lengths: readonly number[]): [from: number, to: number] {
  const from = STEPS.findLast((step) => step <= Math.min(...lengths) && step < LAST) ?? FIRST;
  const to = STEPS.find((step) => step > from && step >= Math.max(...lengths)) ?? LAST;
  return [from, to];
}

const [FIRST = 1] = STEPS;
const LAST = STEPS.at(-1) ?? 1;
