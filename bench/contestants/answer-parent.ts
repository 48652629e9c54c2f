/** What a contestant has counted so far. */
type Seen = { readonly lines?: number; readonly events?: number; readonly bytes?: number };

/** The CPU time of a contestant between `start` and `stop`. */
export type Spent = { readonly cpuMicros: number; readonly seen: Seen };

/**
 * Answers the bench that forked this contestant.
 *
 *   contestant          bench
 *   ready          →
 *                  ←    start     CPU time is counted from here,
 *                  ←    stop      to here, of all threads, in user and kernel
 *   spent          →
 */
export function answerParent(seenSoFar: () => Seen): void {
  let before = process.cpuUsage();
  let seenBefore = seenSoFar();
  process.on('message', (message) => {
    if (message === 'start') {
      before = process.cpuUsage();
      seenBefore = seenSoFar();
      return;
    }
    const { user, system } = process.cpuUsage(before);
    const seen = difference(seenSoFar(), seenBefore);
    process.send?.({ cpuMicros: user + system, seen } satisfies Spent);
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

/** The URL of the Redis to watch. */
export function urlToWatch(): string {
  const url = process.argv[2];
  if (url === undefined) throw new Error('a contestant is started with a Redis URL');
  return url;
}

function difference(now: Seen, before: Seen): Seen {
  return {
    ...(now.lines === undefined ? {} : { lines: now.lines - (before.lines ?? 0) }),
    ...(now.events === undefined ? {} : { events: now.events - (before.events ?? 0) }),
    ...(now.bytes === undefined ? {} : { bytes: now.bytes - (before.bytes ?? 0) }),
  };
}
