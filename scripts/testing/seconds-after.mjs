/**
 * The content of `seconds.json` after a run: how long each test file takes, in s, for files of at least one second. A
 * file that the run did not include keeps its value, unless it no longer exists. `ran`: how long each file of the run
 * took.
 */
export function secondsAfter(before, ran, exists) {
  const kept = Object.entries(before).filter(([file]) => !(file in ran) && exists(file));
  const measured = Object.entries(ran).filter(([, took]) => took >= 1);
  const all = [...kept, ...measured].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(all.map(([file, took]) => [file, Math.round(took)]));
}
