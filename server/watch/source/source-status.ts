import { advisedKeyEvents } from '../../../shared/base/key-event-flags.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import { nodeOf } from '../../../shared/base/topology-url.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { RecordingHeader } from '../../../shared/recording/format.ts';
import type { RejectedReason } from '../../../shared/signals/rejected-reason.ts';
import { type Problem, problem, watchedInstead } from '../../../shared/wire/problems/problem.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { hasIfEqual } from '../../redis/connection/capabilities.ts';
import { silenceProblem } from '../../redis/connection/problem.ts';
import { wallMs } from '../../redis/connection/surroundings.ts';
import { unseenOf } from '../../redis/rights/rights-report.ts';
import type { Pulse } from '../../redis/stream/heartbeat.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import type { RedisClock } from '../../redis/stream/redis-clock.ts';
import type { MonitorGuard } from '../guard/monitor-guard.ts';
import type { UnseenKeys } from '../reads/unseen-keys.ts';
import { blindnessOf, hearsMessages, keyEventSource } from '../terms/levels.ts';
import type { LevelSwitch } from './level-switch.ts';
import type { Place, SourceOptions } from './worker-messages.ts';

/**
 * After this much silence, Redis is reported as not answering. With the time until the next beat, that is within a
 * second.
 */
const SILENCE_MS = 600;
/** While the lag is above this, the source is reported at each beat. */
const LATE_MS = 1000;
/** How many patterns of `--match` are named, and how many characters of each. */
const MOST_PATTERNS = 5;
const MOST_OF_PATTERN = 100;

/** The status of one source, as the health strip shows it. */
export class SourceStatus {
  status: Source['status'] = 'connecting';
  problem: Problem | undefined;
  /** What another client's change of a setting means for watching. */
  notice: Problem | undefined;
  /** Milliseconds until the next attempt to connect, as of this report. */
  nextTryMs: number | undefined;
  snapshotAt: RedisTime | null = null;
  #rejected = 0;
  #rejectedFor: RejectedReason | undefined;
  /** Whether Redis has too many clients for CLIENT LIST. */
  hasTooManyClients = false;
  /** How far behind Redis we are, in ms: at least as long as the oldest unanswered command has waited. */
  lagMs = 0;
  #drift = 0;
  #lines = { at: 0, count: 0, perSecond: 0 };
  /** The replicas, as last reported. */
  replicas: readonly string[] = [];
  readonly #options: SourceOptions;
  readonly #clock: RedisClock;

  constructor(options: SourceOptions, clock: RedisClock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Counts a line or a push that could not be read. */
  reject(reason: RejectedReason): void {
    this.#rejected++;
    this.#rejectedFor = reason;
  }

  /** Counts unexplained drift. */
  count(events: readonly LockEvent[]): void {
    for (const event of events) if (event.type === 'drift.healed' && event.cause === 'unexplained') this.#drift++;
  }

  /** Counts locks whose content differed from what their effects had shown. */
  countDrift(locks: number): void {
    this.#drift += locks;
  }

  /** Measures the clock and lines a second. */
  async measure(feed: OrderedFeed): Promise<void> {
    const { at, count, perSecond } = this.#lines;
    const now = wallMs();
    const rate = at > 0 ? Math.round(Math.max(0, feed.lines - count) / ((now - at) / 1000)) : perSecond;
    this.#lines = { at: now, count: feed.lines, perSecond: rate };
    await feed.syncClock();
  }

  /** Notes silence unless another problem is known; returns whether it did. */
  noteSilence(silentMs: number, where: string): boolean {
    if (this.problem !== undefined && this.problem.code !== 'not-answering') return false;
    this.problem = silenceProblem(where, silentMs);
    return true;
  }

  /**
   * Takes the newest heartbeat; returns whether it has to be reported at once: Redis is silent or answers again, or we
   * are late.
   */
  hear({ lagMs, silentMs, busyMs }: Pulse, where: string): boolean {
    const wasSilent = this.problem?.code === 'not-answering';
    const isBusy = busyMs > SILENCE_MS;
    const isSilent = isBusy || silentMs > SILENCE_MS;
    if (isSilent) this.problem = silenceProblem(where, isBusy ? busyMs : silentMs, isBusy);
    else if (wasSilent) this.problem = undefined;
    this.lagMs = lagMs;
    return isSilent || wasSilent || lagMs > LATE_MS;
  }

  /** The source as it is sent to clients. */
  report(
    feed: OrderedFeed | undefined,
    levels: LevelSwitch,
    guard: MonitorGuard,
    place: Place | null,
    reads?: UnseenKeys,
  ): Source {
    const { id, shownUrl, topology } = this.#options;
    const { level, reason, until, next } = levels;
    const setBackMs = this.#clock.setBack / 1000;
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
      levelUntil: until === null ? null : Math.round(until * 1000 + this.#clock.offset + this.#clock.setBack),
      ...(next === undefined ? {} : { nextLevel: next }),
      monitor: guard.report(),
      ...(guard.figures.report() ? { server: guard.figures.report() } : {}),
      guard: guardOf(reason, next ?? level),
      ...sightOf([
        ...(feed ? unseenOf(feed.rights, level) : []),
        ...(feed
          ? blindnessOf(level, keyEvents, {
              hearsMessages: hearsMessages(feed.capabilities),
              areSettingsKnown: feed.capabilities.notifications !== null,
            })
          : blindnessOf(level, undefined)),
        ...unmatched(this.#options),
        ...(this.notice === undefined ? [] : [this.notice]),
        ...(reads?.leftOut ?? []),
        ...(this.hasTooManyClients ? [problem('unseen-clients')] : []),
      ]),
      ...(reads?.tooLarge ? { unread: reads.tooLarge } : {}),
      ...(reads?.missing ? { missing: reads.missing } : {}),
      keyEvents,
      ...(feed ? { wantedKeyEvents: advisedKeyEvents(feed.capabilities) } : {}),
      ...(this.problem ? { problem: this.problem } : {}),
      ...(this.nextTryMs === undefined ? {} : { nextTryMs: this.nextTryMs }),
      snapshotAt: this.snapshotAt,
      drift: this.#drift,
      rejected: this.#rejected,
      ...(this.#rejectedFor ? { rejectedFor: this.#rejectedFor } : {}),
      clockOffsetMs: Math.round(this.#clock.offset / 1000),
      ...(setBackMs > 0 ? { clockBehindMs: setBackMs } : {}),
    };
  }
}

/** What `--match` leaves out. */
function unmatched({ match }: SourceOptions): Problem[] {
  const shown = match.slice(0, MOST_PATTERNS).map((glob) => glob.slice(0, MOST_OF_PATTERN));
  const more = match.length > shown.length ? ['…'] : [];
  return match.length === 0 ? [] : [problem('unseen-unmatched', { match: [...shown, ...more] })];
}

/** What the level cannot see: as problems for pages, and as English sentences. */
export function sightOf(unseen: Problem[]): Pick<Source, 'unseen' | 'cannotSee'> {
  return { unseen, cannotSee: unseen.map(({ message }) => message) };
}

function guardOf(problem: Problem | undefined, level: Source['level']): Source['guard'] {
  if (!problem) return { state: 'ok' };
  return { state: 'tripped', reason: watchedInstead(problem, level), problem };
}

/** A source as its recording describes it, from the start of a connection. */
export function recordedSource(
  { id, shownUrl: url, topology }: SourceOptions,
  { server }: Place,
  { capabilities, isPushFirst, setBack }: OrderedFeed,
  level: Source['level'],
): RecordingHeader['source'] {
  const { version: redisVersion, role } = capabilities;
  const node = server.path === null ? { node: nodeOf(server) } : undefined;
  const quiet = hearsMessages(capabilities) ? undefined : { hearsMessages: false as const };
  const behind = setBack > 0 ? { clockBehindMs: setBack / 1000 } : undefined;
  const compares = hasIfEqual(capabilities) ? { hasIfEqual: true as const } : undefined;
  return { id, url, redisVersion, role, level, isPushFirst, topology, ...node, ...quiet, ...behind, ...compares };
}
