import type { Problem } from '../../../shared/wire/problems/problem.ts';
import { startTimer, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';
import type { FromWorker, SourceOptions, ToWorker } from '../source/worker-messages.ts';
import { type EndOfObserver, failedProblem, goneProblem, lateProblem, ObserverGone } from './observer-problems.ts';
import type { ObserverThread, ThreadHandlers } from './observer-thread.ts';

type Question = {
  readonly resolve: (message: FromWorker) => void;
  readonly reject: (reason: Error) => void;
  readonly timer: Timer;
};

const LEFT = failedProblem('the client has gone');

/**
 * The observer of one source, in a thread that it may share. Every request is answered, or rejected with
 * `ObserverGone`.
 */
export class SourceObserver {
  readonly #thread: ObserverThread;
  readonly #number: number;
  readonly #handlers: ThreadHandlers;
  readonly #questions = new Map<number, Question>();
  #asked = 0;
  #isEnded = false;

  constructor(thread: ObserverThread, options: SourceOptions, handlers: ThreadHandlers) {
    this.#thread = thread;
    this.#handlers = handlers;
    this.#number = thread.begin(options, {
      onMessage: (message) => this.#take(message),
      onSilent: (seconds) => handlers.onSilent(seconds),
      onEnd: (reason) => this.#end(reason),
    });
  }

  post(message: ToWorker): void {
    if (!this.#isEnded) this.#thread.post(this.#number, message);
  }

  /** Rejects after `withinMs`, or when `signal` aborts; the worker then stops its work for the answer. */
  ask(make: (request: number) => ToWorker, withinMs: number, signal?: AbortSignal): Promise<FromWorker> {
    if (this.#isEnded) return Promise.reject(new ObserverGone(goneProblem({ cause: 'stopped' })));
    if (signal?.aborted) return Promise.reject(new ObserverGone(LEFT));
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
      signal?.addEventListener('abort', () => cancel(LEFT), { once: true });
    });
  }

  /** Ends the observer without calling its handlers. Settles when no part of it runs any longer. */
  async leave(): Promise<void> {
    this.#isEnded = true;
    this.#rejectAll({ cause: 'stopped' });
    await this.#thread.leave(this.#number);
  }

  #take(message: FromWorker): void {
    if (message.type === 'failed') {
      void this.#thread.leave(this.#number);
      this.#end({ cause: 'failed', quote: message.reason });
    } else if ('request' in message) this.#answer(message);
    else this.#handlers.onMessage(message);
  }

  #end(reason: EndOfObserver): void {
    this.#isEnded = true;
    this.#rejectAll(reason);
    this.#handlers.onEnd(reason);
  }

  #answer(message: FromWorker & { readonly request: number }): void {
    if (message.type === 'unanswered') return this.#reject(message.request, failedProblem(message.reason));
    this.#takeQuestion(message.request)?.resolve(message);
  }

  #rejectAll(reason: EndOfObserver): void {
    for (const request of [...this.#questions.keys()]) this.#reject(request, goneProblem(reason));
  }

  #reject(request: number, problem: Problem): void {
    this.#takeQuestion(request)?.reject(new ObserverGone(problem));
  }

  #takeQuestion(request: number): Question | undefined {
    const question = this.#questions.get(request);
    this.#questions.delete(request);
    stopTimer(question?.timer);
    return question;
  }
}
