/** Seconds for a file that is not in `seconds.json`: its tests, and loading its imports. */
const UNLISTED_SECONDS = 0.5;

/**
 * Returns the first of these test files, as long as they take at most `budget` s together, but at least one. `seconds`:
 * how long each file in `seconds.json` takes.
 */
export function nearestTests(files, seconds, budget) {
  let sum = 0;
  const end = files.findIndex((file, nth) => {
    sum += seconds[file] ?? UNLISTED_SECONDS;
    return sum > budget && nth > 0;
  });
  return end === -1 ? files : files.slice(0, end);
}
