import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { timeOfStep } from '../../../shared/recording/steps-from-recording.ts';
import type { Step } from '../../../shared/signals/step.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import { soon } from '../../testing/soon.ts';
import { SeqRuns } from '../../watch/observer/seq-runs.ts';
import { Pipeline } from '../../watch/source/pipeline.ts';
import { EventStore } from '../../watch/store/event-store.ts';
import { openStore, type Store } from '../store.ts';
import { linkHere } from './link-here.ts';

/** One process that watches one source and keeps it in a store: the same parts as in Lockscope, but in one thread. */
export class StoredWatch {
  readonly live: EventStore;
  readonly #store: Store;
  readonly #pipeline: Pipeline;
  readonly #sources: readonly Source[];
  #at: RedisTime;

  constructor(store: Store, startedAt: RedisTime) {
    this.#store = store;
    this.#at = startedAt;
    this.#sources = makeMemoryObservatory()
      .sources()
      .map((source) => ({ ...source, id: 'redis', level: 'monitor' }));
    this.live = new EventStore(() => this.#at, undefined, Number.POSITIVE_INFINITY);
    this.live.history.continueAt(store.nextEvent);
    const seqs = new SeqRuns();
    this.#pipeline = new Pipeline('redis', (events) =>
      this.live.add(seqs.renumber(events, this.live.history.nextSeq())),
    );
    const { onBatch } = this.live.answers;
    const standing = () => this.live.standing();
    store.follow({ onBatch, standing, now: () => this.#at, sources: () => this.#sources });
    const until = store.watchedUntil(this.#sources[0] ?? { id: '', url: '' });
    if (until !== undefined) this.#goOn(until, startedAt);
    this.live.sourcesChanged(this.#sources);
  }

  /** Adds the blind spot since the previous process, as `WatchedSources` and `SourceStream` do after a restart. */
  #goOn(until: RedisTime, startedAt: RedisTime): void {
    const about = { source: 'redis', db: 0, lock: '', kind: 'lock', certainty: 'observed' } as const;
    const seq = this.live.history.nextSeq();
    const spot = { kind: 'blind-spot', reason: 'not-running' } as const;
    this.live.add([{ ...about, seq, at: until, type: 'blind-spot.began', reason: 'not-running' }]);
    this.#pipeline.interpreter.interpret({ ...spot, at: until, phase: 'began' });
    this.#pipeline.take([{ ...spot, at: startedAt, phase: 'ended' }]);
  }

  get file(): string {
    return this.#store.task.path;
  }

  /** Waits until all that has happened is in the file. */
  async stored(): Promise<void> {
    await soon(async () => {
      const { reach } = await this.#store.link.ask({ ask: 'facts' });
      if ((reach[0]?.nextEvent ?? 1) < this.live.history.nextSeq()) throw new Error('not yet');
    });
  }

  take(steps: readonly Step[]): void {
    for (const step of steps) {
      this.#at = redisTime(Math.max(this.#at, timeOfStep(step)));
      this.#pipeline.take([step]);
    }
  }

  /** Closes the store, as a process does at its end. */
  async end(): Promise<void> {
    await this.#store.close();
  }
}

/** The path of a new file. */
export function newFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'lockscope-store-')), 'a.store');
}

/** Opens the store in a file; absent `file`: in a new file. */
export async function storeIn(file?: string, checkpointEvery?: number): Promise<Store> {
  const path = file ?? newFile();
  const store = await openStore(
    { path, retainMs: 1e12, mostBytes: 1e12, ...(checkpointEvery === undefined ? {} : { checkpointEvery }) },
    linkHere,
  );
  if (!store.ok) throw new Error(store.error);
  return store.value;
}
