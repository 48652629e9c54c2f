import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import type { Signal } from '../../shared/signals/signal.ts';
import { type Step, StepAssembler } from '../../shared/signals/step.ts';
import { redactedLines } from './redacted-lines.ts';

/** How many of the newest events keep the Redis lines behind them. */
const MOST_REMEMBERED = 50_000;

/** Signals in, events out: the walk from Redis to meaning, for one source. */
export class Pipeline {
  readonly interpreter: Interpreter;
  readonly #onEvents: (events: LockEvent[]) => void;
  readonly #steps = new Map<number, { step: Step; lock: string }>();
  #assembler = new StepAssembler(true);

  constructor(source: string, onEvents: (events: LockEvent[]) => void) {
    this.interpreter = new Interpreter({ source });
    this.#onEvents = onEvents;
  }

  /** A new connection begins: nothing of the old one can be completed. */
  restart(isPushFirst: boolean, hasCommands: boolean): void {
    this.#assembler = new StepAssembler(isPushFirst);
    this.interpreter.hasCommands = hasCommands;
  }

  add(signal: Signal | 'other'): void {
    if (signal !== 'other') this.#take(this.#assembler.add(signal));
    else if (this.#assembler.isOpen) this.#take(this.#assembler.addOther());
  }

  settle(): void {
    if (this.#assembler.isOpen) this.#take(this.#assembler.settle());
  }

  /** The Redis lines behind an event, by the source's own `seq`; undefined when they are no longer remembered. */
  linesOf(seq: number): string[] | undefined {
    const behind = this.#steps.get(seq);
    return behind ? redactedLines(behind.step, behind.lock) : undefined;
  }

  #take(steps: readonly Step[]): void {
    for (const step of steps) {
      const events = this.interpreter.interpret(step);
      if (events.length === 0) continue;
      for (const event of events) this.#steps.set(event.seq, { step, lock: event.lock });
      while (this.#steps.size > MOST_REMEMBERED) {
        const oldest = this.#steps.keys().next().value;
        if (oldest === undefined) break;
        this.#steps.delete(oldest);
      }
      this.#onEvents(events);
    }
  }
}
