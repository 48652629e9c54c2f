import type { Lockscope, ToldEvent } from '../clients/lockscope.ts';

/** Events that are read while they arrive, because the history of a Lockscope is bounded. */
export type Reading = {
  /** All events until now. */
  all(): Promise<ToldEvent[]>;
  /** All events; no further ones are read. */
  stop(): Promise<ToldEvent[]>;
};

/** Reads the events of a Lockscope until it is stopped. */
export function keepReading(from: Lockscope): Reading {
  const events: ToldEvent[] = [];
  let isStopped = false;
  const read = async () => events.push(...(await from.eventsAfter(events.at(-1)?.seq ?? 0)));
  const reading = (async () => {
    while (!isStopped) {
      await read();
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  // If a test fails, its Lockscope ends while this still reads. `stop` reports the error if the test goes on.
  reading.catch(() => {});
  return {
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
