import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { wallMs } from '../redis/connection/surroundings.ts';
import { KeptRun } from '../store/kept-run.ts';
import type { Keeper, KeptStream } from '../watch/topology/options.ts';
import type { Bus } from './bus.ts';
import { entryFrom, nextRun } from './bus-entry.ts';
import { blocksKey, pulseKey } from './bus-keys.ts';
import { BusWriter, type WriterOptions } from './bus-writer.ts';
import { pulseFrom } from './pulse-writer.ts';

type Options = Omit<WriterOptions, 'run' | 'requestState'>;

/**
 * Where a run begins: its number, the `seq` of its first event, and until when the source was watched before (Redis
 * time, µs; undefined: no block shows it).
 */
type Begin = { readonly run: number; readonly event: number; readonly to: number | undefined };

/** How many entries are read to find the last event of a stream: the newest ones may be of a later version. */
const MOST_BACK = 5;

/** Writes what one observer watches to the bus: one run, which continues from the state of the stream when it began. */
export class BusKeeper implements Keeper {
  readonly run: number;
  readonly nextEvent: number;
  readonly writer: BusWriter;
  readonly #name: string;
  readonly #to: number | undefined;
  #kept: KeptRun | undefined;

  private constructor(bus: Bus, options: Options, { run, event, to }: Begin) {
    this.#name = options.name;
    this.run = run;
    this.nextEvent = event;
    this.#to = to;
    this.writer = new BusWriter(bus, { ...options, run, requestState: () => this.checkpoint() });
  }

  /** Begins a run. Rejects with `ConnectionLost` if the bus is gone. */
  static async begin(bus: Bus, options: Options): Promise<BusKeeper> {
    const { name } = options;
    const newest = (await bus.newest(blocksKey(name), MOST_BACK)).map(entryFrom).find((entry) => entry !== undefined);
    const [pulse] = await Promise.all((await bus.newest(pulseKey(name), 1)).map(pulseFrom));
    const lastPlaces = await Promise.all([bus.lastPlace(blocksKey(name)), bus.lastPlace(pulseKey(name))]);
    const last = Math.max(0, ...lastPlaces.map((place) => place?.run ?? 0));
    const begin = {
      run: nextRun(wallMs(), last),
      event: newest?.event ?? 1,
      // The source was watched longer only if its newest pulse shows that no line was left to write.
      to: newest && Math.max(newest.to, pulse?.wholeUntil ?? 0),
    };
    const keeper = new BusKeeper(bus, options, begin);
    await keeper.writer.noteKept();
    return keeper;
  }

  /** Until when the previous run watched the source: this run continues from there. */
  watchedUntil(): RedisTime | undefined {
    return this.#to === undefined ? undefined : redisTime(this.#to);
  }

  follow(stream: KeptStream): void {
    stream.onBatch((batch) => {
      this.#kept ??= new KeptRun(stream, this.writer, {
        ...{ source: this.#name, number: this.run, gap: 'not-running', after: this.#to ?? 0 },
        nextEvent: this.nextEvent,
      });
      this.#kept.take(batch);
    });
  }

  /** The number of lines of this run so far. */
  get lines(): number {
    return this.#kept?.lines ?? 0;
  }

  /** The Redis time (µs) until which the bus has all that was seen; undefined: it lacks lines. */
  get wholeUntil(): number | undefined {
    const { confirmed, hasGap } = this.writer.progress;
    return confirmed === this.lines && !hasGap ? this.#kept?.wholeUntil : undefined;
  }

  /** Writes what is not written yet, as a block. */
  writeBlock(): void {
    this.#kept?.cut();
  }

  /** Writes the whole state as it is now. */
  checkpoint(): void {
    this.#kept?.checkpoint();
  }

  /** Writes the remaining lines, within a second. */
  async end(): Promise<void> {
    this.#kept?.close();
    await this.writer.end();
  }
}
