/**
 * `usual`, for `npm run test:deep`: versions before and after unlock latches, batches of renewals, and scripts by hash.
 */
const usual = ['3.16.8', '3.27.2', '3.46.0', '4.7.0'];
/** `quick`, for CI: both generations of scripts, and the version that has every kind. */
const quick = ['3.27.2', '4.7.0'];
/** `all`: a version of every generation of scripts, watchdogs and queues. */
const all = [
  ...['3.5.7', '3.11.6', '3.16.8', '3.24.3', '3.27.2', '3.31.0', '3.32.0', '3.43.0'],
  ...['3.44.0', '3.46.0', '3.51.0', '3.52.0', '4.0.0', '4.3.1', '4.7.0'],
];

const SETS: Readonly<Record<string, readonly string[]>> = { usual, quick, all };

/**
 * The Redisson versions to run: those in `REDISSON_VERSIONS`, as names of sets or versions; otherwise the set `all`.
 */
export function versionsToPlay(env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const words = (env.REDISSON_VERSIONS ?? '').split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
  return words.length === 0 ? all : words.flatMap((word) => SETS[word] ?? [word]);
}
