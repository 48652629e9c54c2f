import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { Interpreter } from '../../../shared/events/interpreter.ts';
import type { LostLine, Signal, WatchSignal } from '../../../shared/signals/signal.ts';
import type { Step } from '../../../shared/signals/step.ts';
import { StepAssembler } from '../../../shared/signals/step-assembler.ts';
import type { MemoryShares } from '../terms/memory-shares.ts';
import { type ReadArchivedLines, StepArchive } from './step-archive.ts';

/** Turns the signals of one source into events. */
export class Pipeline {
  readonly interpreter: Interpreter;
  readonly #onEvents: (events: LockEvent[]) => void;
  readonly #onStep: (step: Step, events: number) => void;
  readonly #steps: StepArchive;
  #assembler = new StepAssembler(true);

  /** `onStep` is called with every step and the number of its events, before `onEvents`. */
  constructor(
    source: string,
    onEvents: (events: LockEvent[]) => void,
    onStep: (step: Step, events: number) => void = () => {},
    firstSeq = 1,
    linesAgain: ReadArchivedLines = () => undefined,
    isNamed: (name: string) => boolean = () => false,
  ) {
    this.interpreter = new Interpreter({ source, firstSeq, isNamed });
    this.#onEvents = onEvents;
    this.#onStep = onStep;
    this.#steps = new StepArchive(linesAgain);
  }

  /** Changes how much may be kept. */
  setRooms({ keysBytes, steps }: Pick<MemoryShares, 'keysBytes' | 'steps'>): void {
    this.interpreter.keys.mostBytes = keysBytes;
    this.#steps.setRoom(steps);
  }

  /** Begins a new connection, or another level. */
  watch(step: WatchSignal): void {
    this.#assembler = new StepAssembler(step.isPushFirst);
    this.interpreter.interpret(step);
  }

  add(signal: Signal | LostLine | 'other'): void {
    if (signal === 'other') {
      if (this.#assembler.isOpen) this.take(this.#assembler.addOther());
    } else if (signal.kind === 'lost-line') this.take(this.#assembler.addLost(signal.at));
    else this.take(this.#assembler.add(signal));
  }

  settle(): void {
    if (this.#assembler.isOpen) this.take(this.#assembler.settle());
  }

  /** Ends the stream. If a script is still open, returns its time, from which on nothing is seen. */
  end(): RedisTime | undefined {
    const { steps, unseenFrom } = this.#assembler.end();
    this.take(steps);
    return unseenFrom;
  }

  /** The Redis lines behind an event, by the source's own `seq`; `undefined` if they are no longer kept. */
  linesOf(seq: number): string[] | undefined {
    return this.#steps.linesOf(seq);
  }

  /** Takes complete steps. */
  take(steps: readonly Step[]): void {
    for (const step of steps) {
      const events = this.interpreter.interpret(step);
      this.#onStep(step, events.length);
      if (events.length === 0) continue;
      this.#steps.remember(step, events);
      this.#onEvents(events);
    }
  }
}
