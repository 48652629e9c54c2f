import { Worker } from 'node:worker_threads';
import type { LockEvent } from '../../shared/events/event.ts';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import type { Problem } from '../redis/problem.ts';
import { ObserveRefusal } from './observe-refusal.ts';
import type { RecordingCut, RecordingSink } from './recording-sink.ts';
import type { RecordedPost } from './source-recording.ts';
import type { FromWorker, Place, Presence, SourceOptions, ToWorker } from './worker-messages.ts';

export type SourceListener = {
  onEvents(handle: SourceHandle, events: readonly LockEvent[]): void;
  onPresence(handle: SourceHandle, presence: readonly Presence[]): void;
  onChanged(handle: SourceHandle): void;
};

const STOP_WITHIN_MS = 2000;
/** Pairs of local and global `seq` kept to translate causes and questions; one per batch. */
const MOST_RUNS = 100_000;

/** The main thread's end of one source's worker. */
export class SourceHandle {
  readonly id: string;
  #source: Source;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (message: FromWorker) => void>();
  #requests = 0;
  #stopped: (() => void) | undefined;
  readonly #sink: RecordingSink | undefined;
  #endedAt: number | undefined;
  #isServerEnded = false;
  /** Runs of `seq`s: this source's own and the process's, both rising by one. */
  readonly #runs: { local: number; global: number; count: number }[] = [];

  /** With a `sink`, everything recorded is written to it until `stop`. */
  constructor(options: SourceOptions, source: Source, listener: SourceListener, sink?: RecordingSink) {
    this.id = options.id;
    this.#source = source;
    this.#sink = sink;
    sink?.onBreak(() => listener.onChanged(this));
    this.#worker = new Worker(new URL('./source-worker.js', import.meta.url), { workerData: options });
    this.#worker.on('message', (message: FromWorker) => this.#message(message, listener));
    this.#worker.on('error', (error) => {
      const problem = {
        code: 'observer-failed',
        message: `The observer stopped: ${error.message}`,
        hint: 'Start Lockscope again, and report this.',
      };
      this.#source = { ...this.#source, status: 'failed', problem };
      listener.onChanged(this);
    });
  }

  get source(): Source {
    const source = this.#isServerEnded ? { ...this.#source, ended: true } : this.#source;
    return this.#sink ? { ...source, recorder: this.#sink.status() } : source;
  }

  /** Gives events the process's `seq`s, beginning with `firstSeq`, their causes too. */
  renumber(events: readonly LockEvent[], firstSeq: number): LockEvent[] {
    const [first] = events;
    if (!first) return [];
    const last = this.#runs.at(-1);
    if (last && last.local + last.count === first.seq && last.global + last.count === firstSeq)
      last.count += events.length;
    else this.#runs.push({ local: first.seq, global: firstSeq, count: events.length });
    if (this.#runs.length > MOST_RUNS) this.#runs.shift();
    return events.map((event, index) => {
      const seq = firstSeq + index;
      if (seq === event.seq && this.#runs.length === 1) return event;
      const because = event.because?.map((cause) => this.#globalOf(cause)).filter((cause) => cause !== undefined);
      return because ? { ...event, seq, because } : { ...event, seq };
    });
  }

  /** The Redis lines behind an event. */
  async linesOf(seq: number): Promise<readonly string[] | undefined> {
    const run = this.#runs.find((each) => seq >= each.global && seq < each.global + each.count);
    if (!run) return undefined;
    const answer = await this.#ask((request) => ({ type: 'signals', request, seq: run.local + seq - run.global }));
    return answer.type === 'signals' ? (answer.lines ?? undefined) : undefined;
  }

  /** What is in memory of a stretch of time, as a recording. */
  async recording(from: number | undefined, to: number | undefined): Promise<RecordingCut | undefined> {
    const answer = await this.#ask((request) => ({ type: 'recording', request, from, to }));
    return answer.type === 'recording' ? (answer.cut ?? undefined) : undefined;
  }

  async observe(level: ObserveLevel, forMs: number | null): Promise<void> {
    const answer = await this.#ask((request) => ({ type: 'observe', request, level, forMs }));
    if (answer.type === 'observed' && answer.problem) throw new ObserveRefusal(answer.problem);
  }

  /** Its server is ended on purpose. */
  noteEnded(): void {
    this.#isServerEnded = true;
  }

  /** Tells where the source is from now on, or why nobody knows. */
  moveTo(place: Place | null, problem: Problem | null): void {
    this.#post({ type: 'place', place, problem });
  }

  async stop(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#stopped = resolve;
      setTimeout(resolve, STOP_WITHIN_MS).unref();
    });
    this.#post({ type: 'stop' });
    await ended;
    await this.#worker.terminate();
    await this.#sink?.end(this.#endedAt);
  }

  #message(message: FromWorker, listener: SourceListener): void {
    switch (message.type) {
      case 'events':
        return listener.onEvents(this, message.events);
      case 'presence':
        return listener.onPresence(this, message.presence);
      case 'source':
        this.#source = message.source;
        return listener.onChanged(this);
      case 'stopped':
        return this.#stopped?.();
      case 'recorded':
        return this.#record(message.post);
      case 'observed':
      case 'signals':
      case 'recording':
        this.#waiting.get(message.request)?.(message);
        this.#waiting.delete(message.request);
    }
  }

  #record(post: RecordedPost): void {
    if (post.part === 'begin') this.#sink?.begin(post.header);
    else if (post.part === 'lines') this.#sink?.write(post.lines, post.signals);
    else this.#endedAt = post.at;
  }

  #ask(make: (request: number) => ToWorker): Promise<FromWorker> {
    const request = ++this.#requests;
    return new Promise((resolve) => {
      this.#waiting.set(request, resolve);
      this.#post(make(request));
    });
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #globalOf(local: number): number | undefined {
    let low = 0;
    let high = this.#runs.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const run = this.#runs[middle];
      if (!run) return undefined;
      if (local < run.local) high = middle - 1;
      else if (local >= run.local + run.count) low = middle + 1;
      else return run.global + local - run.local;
    }
    return undefined;
  }
}
