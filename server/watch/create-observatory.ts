import { startTimer, steadyMs } from '../redis/connection/surroundings.ts';
import type { Observatory } from './observatory.ts';
import { KeptSettings } from './observer/kept-settings.ts';
import { EventStore } from './store/event-store.ts';
import { LookClock } from './store/look-clock.ts';
import { LookTimer } from './store/look-timer.ts';
import { MovedHolds } from './topology/moved-holds.ts';
import type { ObservatoryOptions } from './topology/options.ts';
import { placedAnswers } from './topology/placed-locks.ts';
import { WatchedSources } from './topology/watched-sources.ts';

/** Observers have this long to end before settings are restored. */
const OBSERVERS_FIRST_MS = 500;

/**
 * Creates the observatory: a few threads for all sources, one order of events over all sources, one bounded history. A
 * source is a single server, or the current master of a group that Sentinels or a cluster report.
 *
 * Throws if a URL cannot be parsed, or a recording's file cannot be created.
 */
export function createObservatory(options: ObservatoryOptions): Observatory {
  const sources = new WatchedSources(options);
  const { now } = sources;
  const lagOf = (id?: string) => sources.find(id ?? '')?.source.lagMs ?? 0;
  const store = new EventStore(now, sources.rooms, undefined, lagOf);
  if (options.keeper) store.history.continueAt(options.keeper.nextEvent);
  options.keeper?.follow({
    ...{ onBatch: store.answers.onBatch, standing: () => store.standing(), now: () => now() },
    sources: () => sources.all(),
  });
  const looks = new LookClock(store, steadyMs);
  const warn = (message: string) => {
    try {
      options.log?.warn(message);
    } catch {
      // The terminal is gone, so the message cannot be printed.
    }
  };
  const lookTimer = new LookTimer({
    clock: looks,
    store,
    now,
    warn,
  });
  const settings = new KeptSettings({ isWanted: options.configureNotifications, warn });
  const moved = new MovedHolds(store.answers.locksNamed);
  sources.share({
    store,
    parts: (arrived) => looks.parts(arrived),
    moved: (events) => moved.amended(events),
    onServer: (server) => settings.prepare(server),
  });

  return {
    ...placedAnswers(store.answers, (id) => sources.find(id)?.source),
    serverOf: (id) => sources.find(id)?.server,
    sources: () => sources.all().map((source) => store.withSight(source)),
    history: Object.assign(store.history, {
      signals: async (seq: number) => {
        const source = store.history.get(seq)?.source;
        return source === undefined ? undefined : sources.find(source)?.linesOf(seq);
      },
    }),
    recording: async ({ source, from, to }, signal) => sources.find(source)?.recording(from, to, signal),
    async observe(id, wish) {
      const handle = sources.get(id);
      await handle.observe(wish);
      return handle.source;
    },
    async decideOwnLocks(id, wish) {
      const handle = sources.get(id);
      await handle.decideOwnLocks(wish);
      try {
        sources.keepOwnLocks(handle, wish);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        warn(`The decision is not kept after the end of Lockscope: ${why}`);
      }
      return handle.source;
    },
    note: async (id, note) => sources.get(id).note(note),
    watch: (extra) => sources.watch(extra),
    unwatch: (id) => sources.unwatch(id),
    noteEnded(id) {
      sources.find(id)?.noteEnded();
      sources.changed();
    },
    memory: () => ({ ...store.memory(), shedAt: sources.shedAt }),
    setMemory: (limit) => sources.setMemory(limit),
    async start() {
      lookTimer.start();
      sources.start();
    },
    async stop() {
      lookTimer.stop();
      const stopped = sources.stop();
      // Settings must be restored within the 3 s that a shutdown takes, even if observers hang.
      await Promise.race([stopped, new Promise<void>((resolve) => startTimer(resolve, OBSERVERS_FIRST_MS).unref())]);
      await settings.restore();
      await stopped;
    },
  };
}
