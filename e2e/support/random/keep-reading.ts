import type { Lockscope, ReportedEvent } from '../lockscope/lockscope.ts';
import { pause } from '../wait-for.ts';

/** Events that are read while they arrive, because the history of a Lockscope is bounded. */
type Reading = {
  /** All events until now. */
  all(): Promise<ReportedEvent[]>;
  /** All events; no further ones are read. */
  stop(): Promise<ReportedEvent[]>;
  /** Events that were dated after the moment at which they were read. Redis is on this machine, so both have the same clock. */
  readonly ahead: readonly ReportedEvent[];
};

const EVERY_MS = 500;
/** µs: Node's clock counts whole milliseconds. */
const SAME_INSTANT = 2000;

/** Reads the events of a Lockscope until it is stopped. */
export function keepReading(from: Lockscope): Reading {
  const events: ReportedEvent[] = [];
  const ahead: ReportedEvent[] = [];
  let isStopped = false;
  let newest: Promise<void> = Promise.resolve();
  const readNext = async () => {
    const news = await from.eventsAfter(events.at(-1)?.seq ?? 0);
    const now = Date.now() * 1000 + SAME_INSTANT;
    ahead.push(...news.filter(({ at }) => at > now));
    events.push(...news);
  };
  /** Runs one read after the other. */
  const read = () => {
    newest = newest.then(readNext);
    return newest;
  };
  const reading = (async () => {
    while (!isStopped) {
      await read();
      await pause(EVERY_MS);
    }
  })();
  // If a test fails, its Lockscope ends while this still reads. `stop` reports the error if the test continues.
  reading.catch(() => {});
  return {
    ahead,
    async all() {
      await read();
      return events;
    },
    async stop() {
      isStopped = true;
      await reading;
      await read();
      return events;
    },
  };
}
