/** One figure of the product, measured on this machine beside its peers. */
export type Bench = {
  readonly name: string;
  readonly unit: string;
  /** The goal in words, as the table shows it. */
  readonly goal: string;
  run(say: (progress: string) => void): Promise<Figures>;
};

export type Figures = {
  readonly ours: number;
  /** What the peers reached in the same run; empty where the goal is a number of its own. */
  readonly peers: Readonly<Record<string, number>>;
  /** Further figures of ours from the same runs. */
  readonly also?: Readonly<Record<string, number>>;
  /** The peer the ratio is taken to, or `goal`: then the ratio is ours / the goal's number. */
  readonly ratioTo: string;
  readonly ratio: number;
  readonly runs: number;
  /** Whether the goal is met. */
  readonly holds: boolean;
};

/** One bench as `--json` prints it. */
export type BenchReport = { readonly name: string; readonly unit: string } & Figures;

/** The middle of some numbers; the mean of the middle two where there is no middle one. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Runs every contestant once, then all of them again, `runs` times over, so that a change of the machine's mood meets
 * all alike; every second round goes backwards. Gives each one's results in the order of the rounds.
 */
export async function interleaved<Name extends string>(
  names: readonly Name[],
  runs: number,
  measure: (name: Name, round: number) => Promise<number>,
): Promise<Record<Name, number[]>> {
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>; // all names
  for (let round = 0; round < runs; round++) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) results[name].push(await measure(name, round));
  }
  return results;
}

/** The median over the rounds of ours / theirs: what was measured in one round is compared with each other only. */
export function pairedRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

/** The value a share of the numbers lies at or below: `quantile(delays, 0.99)`. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
