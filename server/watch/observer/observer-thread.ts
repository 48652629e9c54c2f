import { Worker } from 'node:worker_threads';
import type { Problem } from '../../../shared/wire/problems/problem.ts';
import { PROGRAMS } from '../../package-info.ts';
import { startTimer, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';
import type { FromWorker, SourceOptions, ToWorker } from '../source/worker-messages.ts';
import { type EndOfObserver, failedProblem, goneProblem, lateProblem, ObserverGone } from './observer-problems.ts';
import { ThreadHeartbeat } from './thread-heartbeat.ts';

export type ThreadHandlers = {
  onMessage(message: FromWorker): void;
  /** It has not answered for this many seconds; 0 once it answers again. */
  onSilent(seconds: number): void;
  /** Called once when the thread has ended, with the reason. Nothing arrives afterwards. */
  onEnd(reason: EndOfObserver): void;
};

type Question = {
  readonly resolve: (message: FromWorker) => void;
  readonly reject: (reason: Error) => void;
  readonly timer: Timer;
};

/** The worker thread that observes a source, from its start to its end. Every question is answered, or rejected with `ObserverGone`. */
export class ObserverThread {
  readonly #worker: Worker;
  readonly #questions = new Map<number, Question>();
  #asked = 0;
  #isEnded = false;

  constructor(options: SourceOptions, handlers: ThreadHandlers) {
    this.#worker = new Worker(PROGRAMS.observer, {
      workerData: options,
      resourceLimits: { maxOldGenerationSizeMb: options.memory.heapMb },
    });
    let end: EndOfObserver | undefined;
    const heartbeat = new ThreadHeartbeat({
      beat: () => this.post({ type: 'beat' }),
      onSilent: (seconds) => handlers.onSilent(seconds),
      onHung: () => {
        end = { cause: 'silent' };
        void this.terminate();
      },
    });
    this.#worker.on('message', (message: FromWorker) => {
      heartbeat.answered();
      if (message.type === 'beat') return;
      if ('request' in message) this.#answer(message);
      else handlers.onMessage(message);
    });
    this.#worker.on('error', (error) => {
      end ??= { cause: 'failed', quote: error.message };
    });
    this.#worker.on('exit', (code) => {
      heartbeat.stop();
      this.#isEnded = true;
      const reason: EndOfObserver = end ?? { cause: 'exited', quote: String(code) };
      for (const request of [...this.#questions.keys()]) this.#reject(request, goneProblem(reason));
      handlers.onEnd(reason);
    });
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Rejects after `withinMs`, or when `signal` aborts; the worker then stops its work for the answer. */
  ask(make: (request: number) => ToWorker, withinMs: number, signal?: AbortSignal): Promise<FromWorker> {
    if (this.#isEnded) return Promise.reject(new ObserverGone(goneProblem({ cause: 'stopped' })));
    const request = ++this.#asked;
    const cancel = (problem: Problem) => {
      if (!this.#questions.has(request)) return;
      this.#reject(request, problem);
      this.post({ type: 'cancel', request });
    };
    return new Promise((resolve, reject) => {
      const timer = startTimer(() => cancel(lateProblem(withinMs)), withinMs);
      this.#questions.set(request, { resolve, reject, timer });
      this.post(make(request));
      signal?.addEventListener('abort', () => cancel(failedProblem('the client has gone')), { once: true });
    });
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #answer(message: FromWorker & { readonly request: number }): void {
    if (message.type === 'unanswered') return this.#reject(message.request, failedProblem(message.reason));
    const question = this.#take(message.request);
    question?.resolve(message);
  }

  #reject(request: number, problem: Problem): void {
    this.#take(request)?.reject(new ObserverGone(problem));
  }

  #take(request: number): Question | undefined {
    const question = this.#questions.get(request);
    this.#questions.delete(request);
    stopTimer(question?.timer);
    return question;
  }
}
