import { batchedPost } from '../../../server/watch/source/batched-post.ts';
import { SourceRunner } from '../../../server/watch/source/source-runner.ts';
import type { FromWorker, SourceOptions } from '../../../server/watch/source/worker-messages.ts';
import { sharesOf } from '../../../server/watch/terms/memory-shares.ts';
import { parseRedisUrl } from '../../../shared/base/redis-url.ts';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { World } from '../../../shared/state/world.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { lockView, UNKNOWN_PRESENCE } from '../../../shared/wire/locks/lock-view.ts';
import type { ObserveLevel, Source } from '../../../shared/wire/source.ts';
import type { SimulatedSurroundings } from './simulated-surroundings.ts';
import { SimulatedProcess } from './time/simulated-process.ts';

type Range = { readonly from: number; to: number };

/** µs: a change of the level is reported at most this much later. */
const REPORTED_EVERY = 1_100_000;

/**
 * Lockscope in a process of the simulation: the unchanged worker of one source, and what the main thread does with its
 * events.
 */
export class SimulatedLockscope {
  readonly process = new SimulatedProcess();
  readonly events: LockEvent[] = [];
  source: Source | undefined;
  /** How many messages Lockscope has posted, by type. */
  readonly posted = new Map<FromWorker['type'], number>();
  /** When Lockscope watched at another level than requested. */
  readonly atOtherLevel: Range[] = [];
  readonly #level: ObserveLevel;
  #isAsking = false;
  readonly #world = new World();
  readonly #surroundings: SimulatedSurroundings;
  readonly #runner: SourceRunner;

  constructor(surroundings: SimulatedSurroundings, { level }: { readonly level: ObserveLevel }) {
    this.#surroundings = surroundings;
    this.#level = level;
    const { address } = surroundings.host;
    const server = parseRedisUrl(`redis://${address}`);
    if (!server.ok) throw new Error(server.error);
    const options: SourceOptions = {
      id: 'redis',
      shownUrl: `redis://${address}`,
      topology: 'single',
      place: { server: server.value, replicas: [], slots: [] },
      level,
      hasBudget: true,
      match: [],
      isRecorded: false,
      madeBy: 'simulation',
      memory: sharesOf(),
    };
    surroundings.time.current = this.process;
    this.#runner = new SourceRunner(
      options,
      batchedPost((message) => this.#take(message)),
    );
    surroundings.post(this.process, () => {
      this.#runner.run().catch((error) => surroundings.time.fail(error));
    });
  }

  get isObserving(): boolean {
    return this.source?.status === 'observing' && this.source.level === this.#level;
  }

  /**
   * Requests the level again. After several cuts, Lockscope gives up MONITOR for a while, or until it is requested
   * again.
   */
  observeAgain(): void {
    if (this.#isAsking || this.source?.level === this.#level) return;
    this.#isAsking = true;
    const request = { level: this.#level, forMs: null, isForced: false };
    this.#surroundings.post(this.process, () => {
      this.#runner.observe(request).then(
        () => {
          this.#isAsking = false;
        },
        (error) => this.#surroundings.time.fail(error),
      );
    });
  }

  /** All locks as they are now. */
  async locks(): Promise<Lock[]> {
    const at = redisTime(this.#surroundings.time.micros);
    return [...this.#world.entries()].map(([, lock]) => lockView(lock, at, UNKNOWN_PRESENCE));
  }

  #noteLevel({ level }: Source): void {
    const now = this.#surroundings.time.micros;
    const before = this.atOtherLevel.at(-1);
    const wasAtOtherLevel = this.source !== undefined && this.source.level !== this.#level;
    if (before && wasAtOtherLevel) before.to = now;
    if (level !== this.#level && !wasAtOtherLevel) this.atOtherLevel.push({ from: now - REPORTED_EVERY, to: now });
  }

  #take(message: FromWorker): void {
    this.posted.set(message.type, (this.posted.get(message.type) ?? 0) + 1);
    switch (message.type) {
      case 'events':
        for (const event of message.events) {
          this.events.push(event);
          this.#world.apply(event);
        }
        return;
      case 'source':
        this.#noteLevel(message.source);
        this.source = message.source;
        return;
      case 'server': // without `--configure-notifications`, no setting is changed
        return this.#surroundings.post(this.process, () => this.#runner.notifications.ready());
      default:
    }
  }
}
