import { hostname } from 'node:os';
import { Bus } from '../../server/bus/bus.ts';
import { BusKeeper } from '../../server/bus/bus-keeper.ts';
import { pulseOf } from '../../server/bus/pulse.ts';
import { PulseWriter } from '../../server/bus/pulse-writer.ts';
import { EventStore } from '../../server/watch/store/event-store.ts';
import { LEAST_MEMORY, sharesOf } from '../../server/watch/terms/memory-shares.ts';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { Pulse } from '../../shared/wire/fleet/pulse.ts';
import { WATCHED_SOURCE } from '../../testing/stories/watched-source.ts';
import { type RecordedCycle, RecordedCycles } from './recorded-cycle.ts';

/**
 * A process that is the observers of many sources, without their servers. The code of a real observer makes and writes
 * their blocks, states and pulses. What they watch is made from a trace, and is the same for all except for names.
 *
 *   sources             bench
 *   Written             →        every 20 ms
 *                       ←        Pace     any number of times: events per second of each source
 */
export type Pace = { readonly eventsPerSecond: number };
/**
 * `confirmed`: for each source whose lines the bus has confirmed since the last message, up to which line, and when
 * (ms). `made`: events of all sources so far. `gaps`: the number of sources whose blocks have a gap.
 */
export type Written = { readonly confirmed: readonly Confirmed[]; readonly made: number; readonly gaps: number };
export type Confirmed = { readonly name: string; readonly seq: number; readonly ms: number };

const TICK_MS = 20;
const LOCKS = 4;
/** All sources begin within this time, so that their blocks and pulses are spread over it. */
const SPREAD_MS = 1000;
const KEEP = { ms: 6 * 3_600_000, bytes: 64 * 1024 ** 2 };
/** Events stay in memory for this long: no page asks an observer for the past. */
const REMEMBER_MS = 10_000;
/** The model's number among the sources: three hex digits in the ids of its clients. */
const MODEL = 0xfff;
const MODEL_NAME = 'source-model';
const MODEL_CLIENT = /fff(?=[0-3]-\w{4}-\w{4}-)/g;
const WATCHED = [{ ...WATCHED_SOURCE, id: 'redis', level: 'monitor' as const }];

const recorded = new RecordedCycles('redis');

function cyclesOf(name: string, number: number): RecordedCycle[] {
  const digits = number.toString(16).padStart(3, '0');
  return Array.from({ length: LOCKS }, (_, n) => recorded.of(`app:${name}:job-${n}`, `${digits}${n}`));
}

/**
 * The state that all sources share except for names. To compute it for each source would take more than the machine
 * has: real observers do that on their own machines.
 */
class Model {
  readonly store = new EventStore(now, sharesOf(LEAST_MEMORY, 1, false), REMEMBER_MS);
  readonly cycles = cyclesOf(MODEL_NAME, MODEL);
  #place = 0;

  constructor() {
    this.store.sourcesChanged(WATCHED);
  }

  /** The place of the next event in all cycles together. */
  get place(): number {
    return this.#place;
  }

  add(count: number): void {
    const at = now();
    const first = this.store.history.nextSeq();
    const events = Array.from({ length: count }, (_, n) => {
      const place = this.#place + n;
      const cycle = this.cycles[place % LOCKS];
      if (!cycle) throw new Error('the model has no locks');
      return cycle.event(Math.floor(place / LOCKS), first + n, at);
    });
    this.store.add(events);
    this.#place += count;
  }
}

/** The observer of one source: what the model does, with other names. */
class SimulatedSource {
  readonly name: string;
  readonly keeper: BusKeeper;
  confirmed = 0;
  readonly #model: Model;
  readonly #digits: string;
  /** By lock and place in its cycle: the fields that have a name of this source. */
  readonly #named: readonly (readonly Partial<LockEvent>[])[];
  readonly #pulses: PulseWriter;

  constructor(bus: Bus, name: string, number: number, model: Model, keeper: BusKeeper) {
    this.name = name;
    this.keeper = keeper;
    this.#model = model;
    this.#digits = number.toString(16).padStart(3, '0');
    this.#named = cyclesOf(name, number).map((cycle, n) => cycle.differences(model.cycles[n]));
    const { store } = model;
    const watched = { ...store.answers, sources: () => WATCHED };
    this.#pulses = new PulseWriter(bus, name, keeper.run, async ({ standbys, ...count }) => {
      const { confirmed: lastLine, waitingBytes } = keeper.writer.progress;
      const [made, since] = [Date.now(), now()];
      // the page shows this version unchanged, so the bench can compute the age of what the page shows
      const observer = { host: hostname(), pid: process.pid, version: `${made}`, since, standbys, waitingBytes };
      const pulse = await pulseOf(watched, { name, run: keeper.run, ...count, lastLine, observer });
      return { ...(JSON.parse(this.#renamed(JSON.stringify(pulse))) as Pulse), wholeUntil: keeper.wholeUntil }; // only names differ
    });
  }

  start(): void {
    const { store } = this.#model;
    this.keeper.follow({
      onBatch: (listener) =>
        store.answers.onBatch((batch) => listener({ ...batch, events: this.#events(batch.events) })),
      standing: () => {
        const { nextEvent, text } = store.standing();
        const renamed = (standing: string) => this.#renamed(standing);
        return {
          nextEvent,
          *text() {
            return renamed(yield* text());
          },
        };
      },
      now,
      sources: () => WATCHED,
    });
    this.#pulses.start();
  }

  #events(events: readonly LockEvent[]): LockEvent[] {
    const first = this.#model.place;
    return events.map((event, n) => {
      const named = this.#named[(first + n) % LOCKS] ?? [];
      return { ...event, ...named[Math.floor((first + n) / LOCKS) % named.length] } as LockEvent; // it keeps its type
    });
  }

  #renamed(text: string): string {
    return text.replaceAll(MODEL_NAME, this.name).replaceAll(MODEL_CLIENT, this.#digits);
  }
}

const [, , busText = '', countText = '1'] = process.argv;
const url = parseRedisUrl(busText);
if (!url.ok) throw new Error(url.error);
const bus = new Bus(url.value, 'bench-sources');
await bus.connection.whenReady(10_000);
const model = new Model();
const sources: SimulatedSource[] = [];
const count = Number(countText);
for (let n = 0; n < count; n++) {
  const name = `source-${String(n).padStart(3, '0')}`;
  const keeper = await BusKeeper.begin(bus, {
    ...{ name, keep: KEEP },
    fenced: () => process.exit(1),
    warn: (line) => process.stderr.write(`${line}\n`),
  });
  const source = new SimulatedSource(bus, name, n, model, keeper);
  sources.push(source);
  setTimeout(() => source.start(), (n * SPREAD_MS) / count);
}

let pace: Pace = { eventsPerSecond: 0 };
let began = 0;
let taken = 0;
let made = 0;
process.on('message', (next: Pace) => {
  pace = next;
  began = performance.now();
  taken = 0;
});
process.on('disconnect', () => process.exit(0));
setInterval(tick, TICK_MS);

/**
 * Adds the events that are due to the model, and so to every source. After a stall it continues from now, instead of
 * catching up in one burst. Then reports to the bench.
 */
function tick(): void {
  const perMs = pace.eventsPerSecond / 1000;
  const due = Math.floor((performance.now() - began) * perMs) - taken;
  taken += due;
  const each = Math.min(due, Math.ceil(perMs * TICK_MS * 10));
  if (each > 0) model.add(each);
  made += each * sources.length;
  const ms = Date.now();
  const confirmed: Confirmed[] = [];
  let gaps = 0;
  for (const source of sources) {
    const { confirmed: seq, hasGap } = source.keeper.writer.progress;
    if (hasGap) gaps++;
    if (seq === source.confirmed) continue;
    source.confirmed = seq;
    confirmed.push({ name: source.name, seq, ms });
  }
  if (process.connected) process.send?.({ confirmed, made, gaps } satisfies Written, () => undefined);
}

function now(): RedisTime {
  return redisTime(Date.now() * 1000);
}
