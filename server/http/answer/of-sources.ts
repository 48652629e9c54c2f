/** Paths that a viewer answers only for each of its sources. Its own pages do not request these paths. */
const OF_SOURCES = /^\/(?:locks?|insights|problems|clients|graph|waits|costs|hours|spans)(?:\/|$)/i;

/**
 * Whether a path under `/api` is one that a viewer itself refuses, because each of its sources has an answer of its
 * own.
 */
export function isOfSources(path: string): boolean {
  return OF_SOURCES.test(path);
}
