/** What `npm test` plays: before and after unlock latches, batches of renewals, and scripts by their hash. */
const USUAL = ['3.16.8', '3.27.2', '3.46.0', '4.7.0'];
/** Where time is short: both generations of scripts, and the version that has every kind. */
const QUICK = ['3.27.2', '4.7.0'];
/** `all`: a version of every generation of scripts, watchdogs and queues. */
const ALL = [
  ...['3.5.7', '3.11.6', '3.16.8', '3.24.3', '3.27.2', '3.31.0', '3.32.0', '3.43.0'],
  ...['3.44.0', '3.46.0', '3.51.0', '3.52.0', '4.0.0', '4.3.1', '4.7.0'],
];

/** The Redisson versions to play: those asked for with `REDISSON_VERSIONS`, else the usual ones, in CI fewer. */
export function versionsToPlay(env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const asked = env.REDISSON_VERSIONS?.trim() ?? '';
  if (asked === 'all') return ALL;
  const wanted = asked.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
  if (wanted.length > 0) return wanted;
  return env.CI ? QUICK : USUAL;
}
