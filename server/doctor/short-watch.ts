import type { ObserveLevel } from '../../shared/base/observe-level.ts';
import type { RedisUrl } from '../../shared/base/redis-url.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { SentProblem } from '../../shared/wire/problems/problem-schema.ts';
import type { Source } from '../../shared/wire/source.ts';
import { ObserverPool } from '../watch/observer/observer-pool.ts';
import { SourceHandle } from '../watch/observer/source-handle.ts';
import { LEAST_MEMORY, sharesOf } from '../watch/terms/memory-shares.ts';

/** A level that has not begun within this time is not measured. */
const BEGIN_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 20;

/** Watches a server at one level, as Lockscope does for its page, with its guard. What it sees is dropped. */
export class ShortWatch {
  readonly #handle: SourceHandle;
  readonly #level: ObserveLevel;

  constructor(server: RedisUrl, level: ObserveLevel) {
    this.#level = level;
    const place = { server, replicas: [], slots: [] };
    const about = { id: 'doctor', shownUrl: server.displayUrl, topology: 'single', place, level } as const;
    const options = { ...about, hasBudget: true, match: [], madeBy: 'lockscope doctor', isRecorded: false };
    const nothing = () => undefined;
    const listener = {
      ...{ onEvents: nothing, onEvicted: nothing, onUnread: nothing, onChanged: nothing, onLost: nothing },
      onServer: async () => undefined,
    };
    const memory = sharesOf(LEAST_MEMORY);
    this.#handle = new SourceHandle({ ...options, memory }, unknown(server, level), listener, new ObserverPool(1));
  }

  /** Waits until the level is on, at most 15 s. Returns why it is not on; undefined: it is. */
  async hasBegun(signal: AbortSignal): Promise<SentProblem | undefined> {
    const end = performance.now() + BEGIN_WITHIN_MS;
    while (!signal.aborted && performance.now() < end) {
      const { status } = this.#handle.source;
      const trouble = this.trouble();
      if (status === 'observing' || trouble) return trouble;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    return problem('not-connected');
  }

  /** Why the level is no longer on: the guard ended it, or the connection is lost. */
  trouble(): SentProblem | undefined {
    const { status, level, guard, problem: lost } = this.#handle.source;
    const sent = guard.problem ?? (status === 'observing' || status === 'connecting' ? undefined : lost);
    if (sent) return sent;
    return status !== 'connecting' && level !== this.#level ? problem('not-connected') : undefined;
  }

  end(): Promise<void> {
    return this.#handle.stop();
  }
}

/** A source before its first report. */
function unknown({ displayUrl }: RedisUrl, level: ObserveLevel): Source {
  return {
    ...{ id: 'doctor', url: displayUrl, redisVersion: '', role: 'master', status: 'connecting', level },
    ...{ lagMs: 0, linesPerSecond: 0, guard: { state: 'ok' }, unseen: [], cannotSee: [], keyEvents: 'off' },
    ...{ snapshotAt: null, drift: 0, rejected: 0, clockOffsetMs: 0 },
  };
}
