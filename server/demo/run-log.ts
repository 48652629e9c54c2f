import type { Demo, DemoFault, DemoGroupOperation, DemoReport, DemoServerFault } from '../../shared/wire/demo.ts';
import type { CommandConnection } from '../redis/connection/command-connection.ts';

/** Limits per run. The oldest entries are dropped first. */
const MOST_FAULTS = 500;
const MOST_REPORTS = 500;
/** Reads of Redis's clock; the one with the shortest round trip is used. */
const CLOCK_SAMPLES = 5;

/** Start of the run, reports of clients, calls over several locks, and faults: all in Redis time, like the events. */
export class RunLog {
  #offsetMicros = 0;
  #startedAt = 0;
  #faults: DemoFault[] = [];
  #reports: DemoReport[] = [];
  #serverFaults: DemoServerFault[] = [];
  #groupOperations: DemoGroupOperation[] = [];

  /** Starts a new run: reads Redis's clock and clears all entries. */
  async begin(connection: CommandConnection): Promise<void> {
    let bestMicros = Number.POSITIVE_INFINITY;
    for (let sample = 0; sample < CLOCK_SAMPLES; sample++) {
      const sentAt = ourMicros();
      const readAt = microsOf(await connection.call('TIME'));
      const tookMicros = ourMicros() - sentAt;
      if (tookMicros >= bestMicros) continue;
      bestMicros = tookMicros;
      // Redis read its clock after `sentAt`. With this offset, a later entry is never dated before its cause.
      this.#offsetMicros = readAt - sentAt;
      this.#startedAt = readAt;
    }
    this.#faults = [];
    this.#reports = [];
    this.#serverFaults = [];
    this.#groupOperations = [];
  }

  /** Adds a fault of a client. */
  note(client: string, uuid: string, name: DemoFault['name']): void {
    this.#faults = [...this.#faults, { at: this.now(), client, uuid, name }].slice(-MOST_FAULTS);
  }

  /** Adds a client's report about a lock in its own memory, or about a refused multi lock. */
  report(report: Omit<DemoReport, 'at'>): void {
    this.#reports = [...this.#reports, { at: this.now(), ...report }].slice(-MOST_REPORTS);
  }

  /** Adds a fault of a server of the scenario. */
  noteServer(where: Pick<DemoServerFault, 'source' | 'server'>, name: DemoServerFault['name']): void {
    this.#serverFaults = [...this.#serverFaults, { at: this.now(), ...where, name }];
  }

  /** Notes that a thread starts a call over several locks. Returns a function that notes that the call has returned. */
  beginGroup(call: Pick<DemoGroupOperation, 'client' | 'thread' | 'does'>): () => void {
    const operation: DemoGroupOperation = { from: this.now(), until: null, ...call };
    this.#groupOperations = [...this.#groupOperations, operation];
    return () => {
      const until = this.now();
      this.#groupOperations = this.#groupOperations.map((each) => (each === operation ? { ...each, until } : each));
    };
  }

  view(): Pick<Demo, 'tellings' | 'serverFaults' | 'groupOperations'> & {
    at: number;
    startedAt: number;
    faults: DemoFault[];
  } {
    return {
      at: this.now(),
      startedAt: this.#startedAt,
      faults: this.#faults,
      ...(this.#reports.length > 0 && { tellings: this.#reports }),
      ...(this.#serverFaults.length > 0 && { serverFaults: this.#serverFaults }),
      ...(this.#groupOperations.length > 0 && { groupOperations: this.#groupOperations }),
    };
  }

  /** The current Redis time, in µs. */
  now(): number {
    return Math.round(ourMicros() + this.#offsetMicros);
  }
}

function ourMicros(): number {
  return (performance.timeOrigin + performance.now()) * 1000;
}

function microsOf(reply: unknown): number {
  const [s, micros] = Array.isArray(reply) ? reply.map(Number) : [];
  if (s === undefined || micros === undefined) throw new Error(`TIME answered ${JSON.stringify(reply)}`);
  return s * 1_000_000 + micros;
}
