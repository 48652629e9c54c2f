import { problem } from '../shared/wire/problems/problem.ts';
import type { Bus } from './bus/bus.ts';
import { BusStore } from './fleet/bus-store.ts';
import { byNeed, fleetSourceOf, foundIn } from './fleet/viewer/fleet-body.ts';
import { FollowedSources, type SourceMount } from './fleet/viewer/followed-sources.ts';
import { Pulses } from './fleet/viewer/pulses.ts';
import { SpanningFinder } from './fleet/viewer/spanning.ts';
import type { ViewerStore } from './fleet/viewer/with-past.ts';
import type { Fleet } from './http/fleet-mount.ts';
import type { ObservatoryPages } from './http/recording-mount.ts';
import { type MountContext, mountObservatory } from './mount-observatory.ts';
import { wallMs } from './redis/connection/surroundings.ts';
import type { Observatory } from './watch/observatory.ts';
import { ObserveRefusal } from './watch/observer/observe-refusal.ts';
import { EventStore } from './watch/store/event-store.ts';
import { sourcesFollowedWithin } from './watch/terms/memory-shares.ts';

/** The sources of a viewer, and the site that is served for each of them. */
export type ViewerFleet = { connect(context: MountContext): Fleet; stop(): Promise<void> };

type Mount = SourceMount & ObservatoryPages;

type FleetOptions = {
  /** The past of the sources, which the viewer writes itself if no other process does; absent: memory only. */
  readonly store?: ViewerStore | undefined;
  warn(line: string): void;
};

/** Reads the pulses of a bus, and follows the sources that pages look at. */
export function openFleet(bus: Bus, memory: number, { store, warn }: FleetOptions): ViewerFleet {
  const pulses = new Pulses(bus);
  const spanning = new SpanningFinder();
  pulses.onRead((areNewest) => void spanning.read(pulses.all(), wallMs(), areNewest));
  pulses.start();
  const end = new AbortController();
  const stored = store && !store.isReader && new BusStore(bus, store.link, warn).run(end.signal);
  let followed: FollowedSources<Mount> | undefined;
  return {
    connect(context) {
      const sources = new FollowedSources<Mount>({
        ...{ bus, pulses, store, ...sourcesFollowedWithin(memory) },
        mount(name, observatory) {
          const pages = mountObservatory(context, { of: 'source', path: `/sources/${name}` }, observatory);
          return { ...pages, close: () => pages.close(name) };
        },
      });
      followed = sources;
      return {
        body(q) {
          const at = wallMs();
          const names = sources.names;
          const { circles } = spanning.latest;
          const list = [...pulses.all().values()].map((heard) => {
            return fleetSourceOf(heard, at, { isFollowed: names.includes(heard.pulse.name), circles });
          });
          list.sort(byNeed);
          return {
            ...{ v: 1, at, bus: { url: bus.url.displayUrl, isConnected: bus.connection.isReady() } },
            spanning: spanning.latest,
            ...{ sources: list, followed: names.length, most: sources.most, ...foundIn(pulses.all(), list, q) },
          };
        },
        isConnected: () => bus.connection.isReady(),
        has: (name) => pulses.get(name) !== undefined || (pulses.isListed ? false : undefined),
        use: (name) => sources.use(name),
        open: (name) => sources.open(name),
      };
    },
    async stop() {
      pulses.stop();
      await followed?.end();
      end.abort();
      await stored;
      await store?.link.close();
      bus.close();
    },
  };
}

/** The observatory of a viewer's own pages, which watches nothing itself. */
export function emptyObservatory(): Observatory {
  const { answers, history } = new EventStore(() => (wallMs() * 1000) as ReturnType<Observatory['now']>);
  const refuse = async () => {
    throw new ObserveRefusal(problem('unknown-source'));
  };
  return {
    ...answers,
    history: Object.assign(history, { signals: async () => undefined }),
    sources: () => [],
    refusal: problem('watched-elsewhere'),
    recording: async () => undefined,
    ...{ observe: refuse, decideOwnLocks: refuse, start: async () => {}, stop: async () => {} },
  };
}
