import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Pulse, pulseSchema } from '../../shared/wire/fleet/pulse.ts';
import { startTicks, stopTimer, type Timer, wallMs } from '../redis/connection/surroundings.ts';
import type { Bus } from './bus.ts';
import type { RawEntry } from './bus-entry.ts';
import { pulseKey, SOURCES_KEY, standbysKey } from './bus-keys.ts';
import { LEASE_TIMES } from './lease.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

const EVERY_MS = 1000;
const MOST_KEPT = 600;
/** A source without a pulse is listed for a week. */
const LISTED_MS = 7 * 24 * 3_600_000;
/** A larger pulse was not written by an observer. */
const MOST_BYTES = 4 * 1024 ** 2;

/** Makes a pulse. `number`: the number of this pulse. `after`: the number of the newest pulse on the bus before it. */
type Make = (facts: { standbys: number; number: number; after: number }) => Promise<Pulse>;

/** Writes a pulse each second, one after the other. If the bus takes none, that second has no pulse. */
export class PulseWriter {
  readonly #bus: Bus;
  readonly #name: string;
  readonly #run: number;
  readonly #make: Make;
  #count = 0;
  /** The newest pulse that the bus confirmed. */
  #confirmed = 0;
  #isBusy = false;
  #timer: Timer | undefined;

  constructor(bus: Bus, name: string, run: number, make: Make) {
    this.#bus = bus;
    this.#name = name;
    this.#run = run;
    this.#make = make;
  }

  start(): void {
    this.#timer = startTicks(() => void this.#beat(), EVERY_MS);
    void this.#beat();
  }

  stop(): void {
    stopTimer(this.#timer);
    this.#timer = undefined;
  }

  async #beat(): Promise<void> {
    if (this.#isBusy || !this.#bus.connection.isReady()) return;
    this.#isBusy = true;
    const { connection } = this.#bus;
    try {
      const now = wallMs();
      const standbys = await connection.call('ZCOUNT', standbysKey(this.#name), now - 2 * LEASE_TIMES.renewMs, '+inf');
      const [number, after] = [++this.#count, this.#confirmed];
      const made = await this.#make({ standbys: Number(standbys), number, after });
      const pulse = await pack(JSON.stringify(made), { level: 6 });
      const id = `${this.#run}-${number}`;
      await connection.call('XADD', pulseKey(this.#name), 'MAXLEN', '~', MOST_KEPT, id, 'pulse', pulse);
      this.#confirmed = number;
      await connection.call('ZADD', SOURCES_KEY, now, this.#name);
      await connection.call('ZREMRANGEBYSCORE', SOURCES_KEY, '-inf', now - LISTED_MS);
    } catch {
      // The bus is gone or full, which `BusWriter` reports, or a later run has written.
    } finally {
      this.#isBusy = false;
    }
  }
}

/** The pulse in an entry; `undefined` if a newer version or another program wrote it. */
export async function pulseFrom({ fields }: RawEntry): Promise<Pulse | undefined> {
  const { pulse } = fields;
  if (!(pulse instanceof Buffer)) return undefined;
  const text = await unpack(pulse, { maxOutputLength: MOST_BYTES }).catch(() => undefined);
  if (!text) return undefined;
  try {
    const parsed = pulseSchema.safeParse(JSON.parse(text.toString()));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
