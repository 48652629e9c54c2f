import type { RedisTime } from '../../shared/base/time.ts';
import { nodeOf } from '../../shared/base/topology-url.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { RecordingHeader } from '../../shared/recording/format.ts';
import type { Source } from '../../shared/wire/source.ts';
import type { OrderedFeed } from '../redis/ordered-feed.ts';
import type { Problem } from '../redis/problem.ts';
import type { LevelSwitch } from './level-switch.ts';
import { blindnessOf, hearsMessages, keyEventSource } from './levels.ts';
import type { Place, SourceOptions } from './worker-messages.ts';

/** How one source fares: what the health strip shows. */
export class SourceStatus {
  status: Source['status'] = 'connecting';
  problem: Problem | undefined;
  snapshotAt: RedisTime | null = null;
  rejected = 0;
  /** How far behind Redis we are, as last measured. */
  lagMs = 0;
  #drift = 0;
  #lines = { at: 0, count: 0, perSecond: 0 };
  /** Servers that copy it, as last heard. */
  replicas: readonly string[] = [];
  readonly #options: SourceOptions;

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  /** Counts what was told otherwise than it was, and nobody knows why. */
  count(events: readonly LockEvent[]): void {
    for (const event of events) if (event.type === 'drift.healed' && event.cause === 'unexplained') this.#drift++;
  }

  /** Measures clock, lag and lines a second. */
  async measure(feed: OrderedFeed, level: Source['level']): Promise<void> {
    const { at, count, perSecond } = this.#lines;
    const now = Date.now();
    const rate = at > 0 ? Math.round(Math.max(0, feed.lines - count) / ((now - at) / 1000)) : perSecond;
    this.#lines = { at: now, count: feed.lines, perSecond: rate };
    const answerMs = await feed.syncClock();
    this.lagMs = level === 'monitor' ? Math.max(0, (await feed.streamLag()) - answerMs) : answerMs;
  }

  /** All of it, as it is told. */
  report(feed: OrderedFeed | undefined, { level, reason }: LevelSwitch, place: Place | null): Source {
    const { id, shownUrl, topology } = this.#options;
    const keyEvents = feed ? keyEventSource(level, feed.capabilities) : 'off';
    return {
      id,
      url: shownUrl,
      topology,
      ...(place === null || place.server.path !== null ? {} : { node: nodeOf(place.server) }),
      replicas: [...this.replicas],
      ...(place && place.slots.length > 0
        ? { slots: place.slots.map(([first, last]) => [first, last] as [number, number]) }
        : {}),
      redisVersion: feed?.capabilities.version ?? '',
      role: feed?.capabilities.role ?? 'master',
      status: this.status,
      level,
      lagMs: Math.round(this.lagMs),
      linesPerSecond: this.status === 'observing' ? this.#lines.perSecond : 0,
      guard: reason === undefined ? { state: 'ok' } : { state: 'tripped', reason },
      cannotSee: blindnessOf(level, keyEvents, feed ? hearsMessages(feed.capabilities) : true),
      keyEvents,
      ...(this.problem ? { problem: this.problem } : {}),
      snapshotAt: this.snapshotAt,
      drift: this.#drift,
      rejected: this.rejected,
      clockOffsetMs: Math.round((feed?.clockOffset ?? 0) / 1000),
    };
  }
}

/** A source as its recording tells of it, from one connection to it on. */
export function recordedSource(
  { id, shownUrl: url, topology }: SourceOptions,
  { server }: Place,
  { capabilities, isPushFirst }: OrderedFeed,
  level: Source['level'],
): RecordingHeader['source'] {
  const { version: redisVersion, role } = capabilities;
  const node = server.path === null ? { node: nodeOf(server) } : undefined;
  const quiet = hearsMessages(capabilities) ? undefined : { hearsMessages: false as const };
  return { id, url, redisVersion, role, level, isPushFirst, topology, ...node, ...quiet };
}
