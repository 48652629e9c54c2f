import { fail, ok, type Result } from '../../shared/base/result.ts';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { Problem } from '../../shared/wire/problems/problem.ts';
import { wallMs } from '../redis/connection/surroundings.ts';
import type { Keeper, KeptStream } from '../watch/topology/options.ts';
import { KeptRun, STREAM } from './kept-run.ts';
import type { KnownSource, StoreFacts } from './parts.ts';
import { linkInThread, type StoreLink } from './store-link.ts';
import { shownStore } from './store-name.ts';
import { StoreWriter } from './store-writer.ts';
import type { Gap } from './tables.ts';
import type { StoreTask } from './thread-messages.ts';

/**
 * From when to when this process's stream is stored. `until`: history ends there, because nothing could be stored since
 * then.
 */
type StoreReach = {
  readonly from: RedisTime | null;
  readonly to: RedisTime | null;
  readonly until: RedisTime | null;
  readonly problem: Problem | undefined;
};

/** The history beyond memory: an open store, and its writer. */
export class Store implements Keeper {
  readonly link: StoreLink;
  readonly task: StoreTask;
  readonly nextEvent: number;
  /** The stream of this process in the store. */
  readonly source: string;
  readonly #facts: StoreFacts;
  readonly #writer: StoreWriter;
  #stream: KeptStream | undefined;
  #run: KeptRun | undefined;
  #beganAt: RedisTime | undefined;
  #lastRun: number;
  #from: number | null;
  #to: number;

  /** `facts`: what the store had when it was opened. */
  constructor(task: StoreTask, link: StoreLink, facts: StoreFacts) {
    this.task = task;
    this.link = link;
    this.#facts = facts;
    this.source = task.source ?? STREAM;
    const reach = this.#reachIn(facts);
    this.nextEvent = reach?.nextEvent ?? 1;
    this.#lastRun = reach?.run ?? 0;
    this.#from = reach?.from ?? null;
    this.#to = reach?.to ?? 0;
    this.#writer = new StoreWriter(link, task.path, {
      stored: (blocks) => {
        this.#from ??= blocks[0]?.fromAt ?? null;
        this.#to = Math.max(this.#to, ...blocks.map(({ toAt }) => toAt));
      },
      failed: () => {
        this.#run?.end();
        this.#run = undefined;
      },
      again: () => this.#begin('not-stored'),
    });
  }

  get reach(): StoreReach {
    const { problem } = this.#writer;
    return {
      from: this.#from === null ? null : redisTime(this.#from),
      to: this.#from === null ? null : redisTime(this.#to),
      until: problem ? redisTime(this.#to) : null,
      problem,
    };
  }

  /** When this process began to store, with its first batch; undefined: not yet. */
  get beganAt(): RedisTime | undefined {
    return this.#beganAt;
  }

  /** The size of the store when it was opened. */
  get bytes(): number {
    return this.#facts.bytes;
  }

  /** The sources of the previous process. */
  get known(): readonly KnownSource[] {
    return this.#facts.sources;
  }

  watchedUntil({ id, url }: KnownSource): RedisTime | undefined {
    const isKnown = this.known.some((known) => known.id === id && known.url === url);
    const last = this.#reachIn(this.#facts);
    return isKnown && last ? redisTime(last.to + 1) : undefined;
  }

  follow(stream: KeptStream): void {
    this.#stream = stream;
    stream.onBatch((batch) => {
      if (!this.#run && !this.#writer.problem) this.#begin('not-running');
      this.#run?.take(batch);
    });
  }

  /** Writes the remaining lines, and closes the store. */
  async close(): Promise<void> {
    this.#run?.close();
    this.#run = undefined;
    this.#stream = undefined;
    await this.#writer.end();
  }

  /** Asks the store for its size and its oldest instant, which changes when old days are dropped. */
  async refresh(): Promise<StoreFacts> {
    const facts = await this.link.ask({ ask: 'facts' });
    const reach = this.#reachIn(facts);
    this.#from = reach ? reach.from : null; // everything was dropped
    return facts;
  }

  #reachIn({ reach }: StoreFacts): StoreFacts['reach'][number] | undefined {
    return reach.find(({ source }) => source === this.source);
  }

  #begin(gap: Gap): void {
    if (!this.#stream) return;
    this.#beganAt ??= this.#stream.now();
    const number = Math.max(Math.round(wallMs()), this.#lastRun + 1);
    this.#lastRun = number;
    const { checkpointEvery } = this.task;
    const { source } = this;
    const options = { source, number, gap, after: this.#to, nextEvent: this.nextEvent, checkpointEvery };
    this.#run = new KeptRun(this.#stream, this.#writer, options);
  }
}

/** Opens a store. The error is one line: what is wrong, and what to do. */
export async function openStore(task: StoreTask, open = linkInThread): Promise<Result<Store, string>> {
  const link = await open(task);
  if (!link.ok) return link;
  try {
    return ok(new Store(task, link.value, await link.value.ask({ ask: 'facts' })));
  } catch (error) {
    await link.value.close();
    return fail(
      `--store ${shownStore(task.path)}: ${error instanceof Error ? error.message : error}. Name another one.`,
    );
  }
}
