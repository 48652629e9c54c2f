import type { Demo, DemoFault, DemoGroupOperation, DemoServerFault, DemoTelling } from '../../shared/wire/demo.ts';
import type { CommandConnection } from '../redis/command-connection.ts';

/** More than anybody watches in one run; the oldest go first. */
const MOST_FAULTS = 500;
const MOST_TELLINGS = 500;
/** The quickest answer of so many tells the time best. */
const CLOCK_SAMPLES = 5;

/** When the run began, what was done to processes since, and what they told, by Redis's clock: the events' own. */
export class RunLog {
  #offsetMicros = 0;
  #startedAt = 0;
  #faults: DemoFault[] = [];
  #tellings: DemoTelling[] = [];
  #serverFaults: DemoServerFault[] = [];
  #groupOperations: DemoGroupOperation[] = [];

  /** A run begins: reads Redis's clock, and forgets what was told of the run before. */
  async begin(connection: CommandConnection): Promise<void> {
    let bestMicros = Number.POSITIVE_INFINITY;
    for (let sample = 0; sample < CLOCK_SAMPLES; sample++) {
      const sentAt = ourMicros();
      const readAt = microsOf(await connection.call('TIME'));
      const tookMicros = ourMicros() - sentAt;
      if (tookMicros >= bestMicros) continue;
      bestMicros = tookMicros;
      // it was read after we asked: what is told later by this clock never seems to come before its causes
      this.#offsetMicros = readAt - sentAt;
      this.#startedAt = readAt;
    }
    this.#faults = [];
    this.#tellings = [];
    this.#serverFaults = [];
    this.#groupOperations = [];
  }

  note(client: string, uuid: string, name: DemoFault['name']): void {
    this.#faults = [...this.#faults, { at: this.now(), client, uuid, name }].slice(-MOST_FAULTS);
  }

  /** Notes what a client told of a lock in its own memory. */
  tell(telling: Omit<DemoTelling, 'at'>): void {
    this.#tellings = [...this.#tellings, { at: this.now(), ...telling }].slice(-MOST_TELLINGS);
  }

  /** Notes what was done to a server of the scenario. */
  noteServer(where: Pick<DemoServerFault, 'source' | 'server'>, name: DemoServerFault['name']): void {
    this.#serverFaults = [...this.#serverFaults, { at: this.now(), ...where, name }];
  }

  /** Notes that a thread begins a call over several locks; gives back what notes that it returned. */
  beginGroup(call: Pick<DemoGroupOperation, 'client' | 'thread' | 'does'>): () => void {
    const operation: DemoGroupOperation = { from: this.now(), until: null, ...call };
    this.#groupOperations = [...this.#groupOperations, operation];
    return () => {
      const until = this.now();
      this.#groupOperations = this.#groupOperations.map((one) => (one === operation ? { ...one, until } : one));
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
      ...(this.#tellings.length > 0 && { tellings: this.#tellings }),
      ...(this.#serverFaults.length > 0 && { serverFaults: this.#serverFaults }),
      ...(this.#groupOperations.length > 0 && { groupOperations: this.#groupOperations }),
    };
  }

  /** Now by Redis's clock, in µs. */
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
