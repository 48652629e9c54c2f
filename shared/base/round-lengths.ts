const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const BELOW_SECOND = [0.001, 0.01, 0.1, 1, 10, 100];

/** Round lengths in ms that people use, each two to three times the one before: 10 s, 20 s, 1 min, 2 min, 5 min. */
export const FINE_LENGTHS: readonly number[] = [
  ...BELOW_SECOND.flatMap(oneTwoFive),
  ...[1, 2, 5, 10, 20].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 20].map((n) => n * MINUTE),
  ...[1, 2, 5, 10].map((n) => n * HOUR),
  ...[1, 10, 100, 1000].flatMap(oneTwoFive).map((n) => n * DAY),
];

/** Fewer round lengths in ms, most of them six to ten times the one before: 1 s, 10 s, 1 min, 10 min. */
export const COARSE_LENGTHS: readonly number[] = [
  ...BELOW_SECOND,
  ...[SECOND, 10 * SECOND, MINUTE, 10 * MINUTE, HOUR, 10 * HOUR],
  ...[1, 10, 100, 1000].map((n) => n * DAY),
];

function oneTwoFive(decade: number): number[] {
  // a quotient is the nearest number to its decimal, for example 0.002; a product may miss it, as 3 * 0.1 does
  return [1, 2, 5].map((step) => (decade < 1 ? step / Math.round(1 / decade) : step * decade));
}
