import { parseWatchUrl } from '../../shared/base/topology-url.ts';
import type { KnownSource } from './parts.ts';
import { isDatabaseUrl, shownStore } from './store-name.ts';

/**
 * Why a store is refused for these URLs, in one line: it has another server under the id of one of them, so the locks
 * of both would be mixed. `undefined`: the store is not refused. `known`: the sources of the previous process.
 */
export function otherServerIn(
  path: string,
  known: readonly KnownSource[],
  redisUrls: readonly string[],
): string | undefined {
  const what = isDatabaseUrl(path) ? 'database' : 'file';
  for (const { id, url } of sourcesOf(redisUrls)) {
    const before = known.find((source) => source.id === id);
    if (!before || before.url === url) continue;
    return (
      `--store ${shownStore(path)}: that ${what} has the locks of ${before.url} as source ${id}, which would now be ${url}. ` +
      `Name another ${what} for ${url}, or watch ${before.url} again.`
    );
  }
  return undefined;
}

/**
 * One source for each URL that can be read, with the id that `WatchedSources` gives it. A cluster is last: its further
 * sources are known only once its servers answer.
 */
function sourcesOf(redisUrls: readonly string[]): KnownSource[] {
  const urls = redisUrls.flatMap((text) => {
    const url = parseWatchUrl(text);
    return url.ok ? [url.value] : [];
  });
  const cluster = urls.find(({ kind }) => kind === 'cluster');
  const first = [...urls.filter(({ kind }) => kind !== 'cluster'), ...(cluster ? [cluster] : [])];
  const isAlone = urls.length === 1 && !cluster;
  return first.map(({ displayUrl }, n) => ({ id: isAlone ? 'redis' : `redis-${n + 1}`, url: displayUrl }));
}
