import type { RedisUrl } from '../../shared/base/redis-url.ts';
import type { LoadWindow } from '../../shared/doctor/level-costs.ts';
import { fieldsFromInfo } from '../redis/connection/info-fields.ts';
import { RawConnection } from '../redis/connection/raw-connection.ts';
import { type LoadSample, sampleFromInfo } from '../watch/guard/redis-load.ts';

/** A server that needs longer for a PING is in trouble. */
export const SLOW_PING_MS = 100;
const MOST_PINGS = 3;

/** What a server reports at one instant. */
export type MeterReading = {
  readonly load: LoadSample | undefined;
  readonly outputBytes: number | null;
  /** Bytes that this connection has received: the server's figures include them. */
  readonly received: number;
  /** Memory of all clients that are not replicas, with output that waits for them, in bytes; null: not reported. */
  readonly clientBytes: number | null;
  /** How long the reply to a PING took, in ms. */
  readonly pingMs: number;
  readonly fields: ReadonlyMap<string, string>;
};

/** Measures the load of one server, on a separate connection. */
export class LoadMeter {
  readonly #connection: RawConnection;

  private constructor(connection: RawConnection) {
    this.#connection = connection;
  }

  /** Connects. Rejects with the reason if that fails. */
  static async open(url: RedisUrl): Promise<LoadMeter> {
    const connection = await RawConnection.open(url);
    try {
      await connection.greet(url);
      return new LoadMeter(connection);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Measures the load once. Rejects if the connection is lost, or if there is no reply for 10 s. */
  async read(): Promise<MeterReading> {
    const pingMs = await this.#ping();
    const sections = ['stats', 'cpu', 'memory', 'persistence'];
    const { sent } = this.#connection;
    const replies = await this.#connection.pipeline(sections.map((section) => ['INFO', section]));
    const text = replies.filter((reply) => typeof reply === 'string').join('\r\n');
    const fields = fieldsFromInfo(text);
    return {
      load: sampleFromInfo(text, performance.now(), sent),
      outputBytes: numberIn(fields, 'total_net_output_bytes'),
      received: this.#connection.received,
      clientBytes: numberIn(fields, 'mem_clients_normal'),
      pingMs,
      fields,
    };
  }

  close(): void {
    this.#connection.close();
  }

  /** The shortest of at most three PINGs: one slow reply may be due to this process and not to Redis. */
  async #ping(): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let n = 0; n < MOST_PINGS && least > SLOW_PING_MS; n++) {
      const began = performance.now();
      await this.#connection.pipeline([['PING']]);
      least = Math.min(least, performance.now() - began);
    }
    return least;
  }
}

/** What happened between two readings; undefined if the server was started again, or reports no figures. */
export function windowBetween(
  level: LoadWindow['level'],
  before: MeterReading,
  after: MeterReading,
): LoadWindow | undefined {
  if (!before.load || !after.load || after.load.commands < before.load.commands) return undefined;
  const own = after.load.own.commands - before.load.own.commands;
  const { cpuSeconds } = after.load;
  const isCpuKnown = cpuSeconds !== null && before.load.cpuSeconds !== null;
  const isOutputKnown = after.outputBytes !== null && before.outputBytes !== null;
  const sent = isOutputKnown ? (after.outputBytes ?? 0) - (before.outputBytes ?? 0) : 0;
  return {
    level,
    ms: after.load.at - before.load.at,
    cpuSeconds: isCpuKnown ? cpuSeconds - (before.load.cpuSeconds ?? 0) : null,
    commands: Math.max(0, after.load.commands - before.load.commands - own),
    outputBytes: isOutputKnown ? Math.max(0, sent - (after.received - before.received)) : null,
  };
}

export function numberIn(fields: ReadonlyMap<string, string>, name: string): number | null {
  const value = fields.get(name) ?? '';
  return /^\d+$/.test(value) ? Number(value) : null;
}
