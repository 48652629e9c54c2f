import type { Pulse } from '../../../shared/wire/fleet/pulse.ts';
import type { Spanning, SpanningUnseen } from '../../../shared/wire/fleet/spanning.ts';
import { isWatched } from '../../../shared/wire/watched.ts';
import { steadyMs } from '../../redis/connection/surroundings.ts';
import { inSlices, type Sliced } from '../../watch/slices/in-slices.ts';
import { AtOneTime } from './at-one-time.ts';
import { Processes } from './processes.ts';
import { type Heard, isLive } from './pulses.ts';
import { spanningCircles } from './spanning-circles.ts';
import { spanningRedLocks } from './spanning-red-locks.ts';

const MOST = 50;
const NOTHING: Spanning = {
  ...{ circles: [], redLocks: [], clients: [], cannotTell: [] },
  more: { circles: 0, redLocks: 0, clients: 0 },
};

/** What spans several sources of a bus. Circles and RedLocks are reported once `AtOneTime` has proven them. */
export class SpanningFinder {
  readonly #atOneTime = new AtOneTime();
  #latest = NOTHING;
  #notBefore = 0;

  get latest(): Spanning {
    return this.#latest;
  }

  /** Takes the pulses of all sources, unless that would take more than a quarter of the time. */
  async read(all: ReadonlyMap<string, Heard>, nowMs: number, areNewest: boolean): Promise<void> {
    const began = steadyMs();
    if (began < this.#notBefore) return;
    this.#notBefore = Number.POSITIVE_INFINITY;
    await inSlices(this.take(new Map(all), nowMs, areNewest));
    this.#notBefore = began + 4 * (steadyMs() - began);
  }

  /** Takes the pulses of all sources. `areNewest`: the bus was just read, and had none after them. */
  *take(all: ReadonlyMap<string, Heard>, nowMs: number, areNewest: boolean): Sliced<void> {
    const live = [...all.values()].filter((heard) => isLive(heard, nowMs)).map(({ pulse }) => pulse);
    const watched = live.filter(({ sources }) => sources.every(isWatched));
    const processes = yield* Processes.of(live);
    const circles = yield* spanningCircles(watched, processes);
    const redLocks = yield* spanningRedLocks(watched, all.size);
    const found = [...circles.found, ...redLocks].map(({ key, names }) => [key, names] as const);
    const byName = new Map(watched.map((pulse) => [pulse.name, pulse]));
    const proven = this.#atOneTime.prove(new Map(found), byName, areNewest);
    const isProven = ({ key }: { key: string }) => proven.has(key);
    const lists = {
      circles: circles.found.filter(isProven).map(({ circle }) => circle),
      redLocks: redLocks.filter(isProven).map(({ redLock }) => redLock),
      clients: processes.onSeveral(),
    };
    const cannotTell: Spanning['cannotTell'] = [];
    for (const heard of all.values()) {
      const reasons = unseenOf(heard.pulse, isLive(heard, nowMs), circles.clocks, processes);
      if (reasons.length > 0) cannotTell.push({ name: heard.pulse.name, reasons });
      yield;
    }
    this.#latest = {
      circles: lists.circles.slice(0, MOST),
      redLocks: lists.redLocks.slice(0, MOST),
      clients: lists.clients.slice(0, MOST),
      more: {
        circles: Math.max(0, lists.circles.length - MOST),
        redLocks: Math.max(0, lists.redLocks.length - MOST),
        clients: Math.max(0, lists.clients.length - MOST),
      },
      cannotTell,
    };
  }
}

/** Why waits of a source may be missing in circles over several sources. */
function unseenOf(
  { name, sources, rows, moreWaits, unseenWaits }: Pulse,
  isLiveNow: boolean,
  clocks: ReadonlySet<string>,
  processes: Processes,
): SpanningUnseen[] {
  if (!isLiveNow) return ['silent'];
  if (sources.length === 0 || !sources.every(isWatched)) return ['unwatched'];
  const isCut = moreWaits > 0 || rows.some(({ moreHolders, sleepers }) => moreHolders > 0 && sleepers.length > 0);
  const hasUnsureProcess = rows.some(({ sleepers }) => sleepers.some((each) => processes.isUnsure(each)));
  return [
    ...unseenWaits,
    ...(isCut ? (['beyond-pulse'] as const) : []),
    ...(hasUnsureProcess ? (['processes'] as const) : []),
    ...(clocks.has(name) ? (['clocks'] as const) : []),
  ];
}
