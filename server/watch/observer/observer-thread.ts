import { Worker } from 'node:worker_threads';
import { PROGRAMS } from '../../package-info.ts';
import type { FromWorker, SourceOptions } from '../source/worker-messages.ts';
import type { FromThread, ToThread } from '../thread/thread-messages.ts';
import type { EndOfObserver } from './observer-problems.ts';
import { ThreadHeartbeat } from './thread-heartbeat.ts';

export type ThreadHandlers = {
  onMessage(message: FromWorker): void;
  /** The thread has not answered for this many seconds; 0 once it answers again. */
  onSilent(seconds: number): void;
  /** Called once when the thread has ended, or this source in it, with the reason. Nothing arrives afterwards. */
  onEnd(reason: EndOfObserver): void;
};

/**
 * The limit of the young generation: by default 48 MB, of which 32 MB fill with garbage however few locks there are.
 */
const YOUNG_MB = 24;

/** A worker thread that observes several sources, from its start to its end. */
export class ObserverThread {
  readonly #worker: Worker;
  readonly #sources = new Map<number, { readonly id: string; readonly handlers: ThreadHandlers }>();
  #begun = 0;
  #isOver = false;

  /**
   * `onEnd` is called once the thread has ended, with the ids of the sources that it still observed. Their own handlers
   * are called afterwards.
   */
  constructor(heapMb: number, onEnd: (ids: readonly string[]) => void) {
    const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB };
    this.#worker = new Worker(PROGRAMS.observer, { resourceLimits });
    let end: EndOfObserver | undefined;
    const heartbeat = new ThreadHeartbeat({
      beat: () => this.#post({ type: 'beat' }),
      onSilent: (seconds) => {
        for (const { handlers } of [...this.#sources.values()]) handlers.onSilent(seconds);
      },
      onHung: () => {
        end = { cause: 'silent' };
        void this.#worker.terminate();
      },
    });
    this.#worker.on('message', (message: FromThread) => {
      heartbeat.answered();
      this.#take(message);
    });
    this.#worker.on('error', (error) => {
      end ??= { cause: 'failed', quote: error.message };
    });
    this.#worker.on('exit', (code) => {
      heartbeat.stop();
      this.#isOver = true;
      const ended = [...this.#sources.values()];
      this.#sources.clear();
      onEnd(ended.map(({ id }) => id));
      for (const { handlers } of ended) handlers.onEnd(end ?? { cause: 'exited', quote: String(code) });
    });
  }

  /** How many sources the thread observes. */
  get size(): number {
    return this.#sources.size;
  }

  /** Whether the thread has ended, or is about to end. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Begins to observe one more source. Returns its number. */
  begin(options: SourceOptions, handlers: ThreadHandlers): number {
    const source = ++this.#begun;
    this.#sources.set(source, { id: options.id, handlers });
    this.#post({ type: 'begin', source, options });
    return source;
  }

  post(source: number, message: Extract<ToThread, { type: 'to' }>['message']): void {
    this.#post({ type: 'to', source, message });
  }

  /** Stops observing a source: nothing about it arrives afterwards. The thread ends with its last source. */
  async leave(source: number): Promise<void> {
    this.#sources.delete(source);
    if (this.#sources.size > 0) return;
    this.#isOver = true;
    await this.#worker.terminate();
  }

  #take(message: FromThread): void {
    switch (message.type) {
      case 'beat':
        return;
      case 'beats':
        for (const [source, beat] of message.beats) {
          this.#sources.get(source)?.handlers.onMessage({ type: 'source-beat', beat });
        }
        return;
      case 'from':
        this.#sources.get(message.source)?.handlers.onMessage(message.message);
    }
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }
}
