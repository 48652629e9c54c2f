import type { Lockscope, ReportedEvent } from '../lockscope/lockscope.ts';
import { repeatUntilStopped } from './repeat-until-stopped.ts';

/** Events that are read while they arrive, because the history of a Lockscope is bounded. */
type Reading = {
  /** All events that were read until now. */
  all(): Promise<ReportedEvent[]>;
  /** Stops reading. Returns all events that were read. */
  stop(): Promise<ReportedEvent[]>;
  /** Events whose time is later than the moment of reading. Redis is on this machine, so both have the same clock. */
  readonly ahead: readonly ReportedEvent[];
};

const EVERY_MS = 500;
/** µs by which an event may seem to be ahead: Node's clock counts whole milliseconds. */
const SAME_INSTANT = 2000;

/** Reads the events of a Lockscope until it is stopped. */
export function keepReading(from: Lockscope): Reading {
  const events: ReportedEvent[] = [];
  const ahead: ReportedEvent[] = [];
  let newest: Promise<void> = Promise.resolve();
  const readNext = async () => {
    const newEvents = await from.eventsAfter(events.at(-1)?.seq ?? 0);
    const now = Date.now() * 1000 + SAME_INSTANT;
    ahead.push(...newEvents.filter(({ at }) => at > now));
    events.push(...newEvents);
  };
  /** Runs one read after the other. */
  const read = () => {
    newest = newest.then(readNext);
    return newest;
  };
  const reading = repeatUntilStopped(read, EVERY_MS);
  return {
    ahead,
    async all() {
      await read();
      return events;
    },
    async stop() {
      await reading.stop();
      await read();
      return events;
    },
  };
}
