import { batchedPost } from '../source/batched-post.ts';
import { SourceRunner } from '../source/source-runner.ts';
import type { FromWorker, SourceOptions, ToWorker } from '../source/worker-messages.ts';

/** One source in its thread: answers the main thread, until it is stopped or a fault ends it. */
export class HostedSource {
  readonly #runner: SourceRunner;
  readonly #post: (message: FromWorker) => void;
  readonly #onEnd: () => void;
  /** Cuts under way, by request. */
  readonly #cuts = new Map<number, AbortController>();
  #hasFailed = false;

  /** `onEnd` is called after the last message of the source. */
  constructor(options: SourceOptions, post: (message: FromWorker) => void, onEnd: () => void) {
    const batched = batchedPost(post);
    this.#post = (message) => {
      if (!this.#hasFailed) batched(message);
    };
    this.#onEnd = onEnd;
    this.#runner = new SourceRunner(options, this.#post);
  }

  run(): void {
    this.#runner.run().catch((error: unknown) => this.fail(error));
  }

  take(message: ToWorker): void {
    this.#take(message).catch((error: unknown) => {
      if ('request' in message) this.#post({ type: 'unanswered', request: message.request, reason: textOf(error) });
      else this.fail(error);
    });
  }

  /** Ends the source because of a fault. */
  fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#post({ type: 'failed', reason: textOf(error) });
    this.#hasFailed = true;
    this.#onEnd();
    this.#runner.stop().catch(() => undefined); // it has failed: further failures show nothing new
  }

  async #take(message: ToWorker): Promise<void> {
    const runner = this.#runner;
    const post = this.#post;
    switch (message.type) {
      case 'observe':
        post({ type: 'observed', request: message.request, problem: await runner.observe(message.wish) });
        break;
      case 'own-locks':
        runner.decideOwnLocks(message.wish);
        post({ type: 'observed', request: message.request, problem: null });
        break;
      case 'note':
        runner.takeNote(message.note);
        post({ type: 'observed', request: message.request, problem: null });
        break;
      case 'signals':
        post({ type: 'signals', request: message.request, lines: runner.linesOf(message.seq) ?? null });
        break;
      case 'recording': {
        const { request, from, to } = message;
        const cut = new AbortController();
        this.#cuts.set(request, cut);
        try {
          post({ type: 'recording', request, cut: (await runner.recordingOf(from, to, cut.signal)) ?? null });
        } finally {
          this.#cuts.delete(request);
        }
        break;
      }
      case 'cancel':
        this.#cuts.get(message.request)?.abort();
        break;
      case 'place':
        runner.moveTo(message.place, message.problem);
        break;
      case 'server-ready':
        runner.notifications.ready();
        break;
      case 'memory':
        runner.setRooms(message.memory);
        break;
      case 'stop':
        await runner.stop();
        post({ type: 'stopped' });
        this.#onEnd();
        break;
    }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
