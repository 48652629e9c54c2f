/** One measurement of Lockscope and its peers on this machine. */
export type Bench = {
  readonly name: string;
  readonly unit: string;
  /** The goal as text, for the table. */
  readonly goal: string;
  /** Set if more is better, for example events per second. */
  readonly isMoreBetter?: true;
  run(print: (progress: string) => void): Promise<Figures>;
};

export type Figures = {
  readonly ours: number;
  /** The results of the peers in the same run; empty if the bench has no peer. */
  readonly peers: Readonly<Record<string, number>>;
  /** Further results of ours from the same runs. */
  readonly also?: Readonly<Record<string, number>>;
  /** The peer that ours is divided by, or `goal`. With `goal`, ours is divided by the number of the goal. */
  readonly ratioTo: string;
  readonly ratio: number;
  /** The ratio of each round, or of each case that is measured. Their spread shows how far to trust the median. */
  readonly ratios?: readonly number[];
  readonly runs: number;
  /** True if the goal is met. */
  readonly holds: boolean;
};

/** One bench as `--json` prints it. */
export type BenchReport = { readonly name: string; readonly unit: string } & Figures;

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Measures all contestants in turn, in `runs` rounds, so that a change of the machine's speed affects all of them.
 * Every second round runs in reverse order. Returns the results of each contestant, in the order of the rounds.
 */
export async function interleaved<Name extends string>(
  names: readonly Name[],
  runs: number,
  measure: (name: Name, round: number) => Promise<number>,
): Promise<Record<Name, number[]>> {
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>; // the result has all names
  for (let round = 0; round < runs; round++) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) results[name].push(await measure(name, round));
  }
  return results;
}

/** The median over the rounds of ours / theirs. Only results of the same round are compared. */
export function pairedRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(pairedRatios(ours, theirs));
}

/** Ours / theirs in each round. */
export function pairedRatios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
}

/** The quantile of some numbers, for example `quantile(delays, 0.99)`. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
