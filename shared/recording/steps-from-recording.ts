import type { RedisTime } from '../base/time.ts';
import type { BlindReason } from '../signals/blind-reason.ts';
import type { LineSignal, LostLine, PushSignal } from '../signals/signal.ts';
import type { Step } from '../signals/step.ts';
import { MOST_OF_SCRIPT, TOO_LONG } from '../signals/step-assembler.ts';
import type { RecordedSignal } from './format.ts';

/** Joins the signals of a recording into steps again. A command is complete when the next step begins. */
export class StepJoiner {
  #head: LineSignal | undefined;
  #inner: LineSignal[] = [];
  #pushes: PushSignal[] = [];
  #characters = 0;

  /**
   * Takes the next signal; returns the steps that are complete now. A lost line may have been a part of the open
   * command.
   */
  add(signal: RecordedSignal | LostLine): Step[] {
    if (signal.kind === 'lost-line') return this.#drop('line-lost', signal.at);
    if (signal.kind === 'line' && signal.client === null) {
      if (!this.#head) return []; // a script whose head could not be read is dropped
      this.#inner.push(signal);
      return this.#unlessFull(signal.words.reduce((sum, word) => sum + word.length, 0));
    }
    if (signal.kind === 'inner-push') {
      if (!this.#head) return [];
      this.#pushes.push({ ...signal, kind: 'push' });
      return this.#unlessFull(signal.channel.length + signal.message.length);
    }
    const steps = this.finish();
    if (signal.kind === 'line') this.#head = signal;
    else steps.push(signal);
    return steps;
  }

  /** Returns the command that is still open at the end, if any. */
  finish(): Step[] {
    if (!this.#head) return [];
    const step: Step = { kind: 'command', head: this.#head, inner: this.#inner, pushes: this.#pushes };
    this.#forget();
    return [step];
  }

  /**
   * Drops the open command if it has more signals or characters than a script may have. A live script of that length is
   * dropped as well.
   */
  #unlessFull(characters: number): Step[] {
    this.#characters += characters;
    const hasTooManySignals = this.#inner.length + this.#pushes.length > MOST_OF_SCRIPT.signals;
    const at = this.#head?.at;
    if (at === undefined || !(hasTooManySignals || this.#characters > MOST_OF_SCRIPT.characters)) return [];
    return this.#drop(TOO_LONG, at);
  }

  /** Drops the open command, because its effect is not known. */
  #drop(reason: BlindReason, at: RedisTime): Step[] {
    this.#forget();
    const spot = { kind: 'blind-spot', at, reason } as const;
    return [
      { ...spot, phase: 'began' },
      { ...spot, phase: 'ended' },
    ];
  }

  #forget(): void {
    this.#head = undefined;
    this.#inner = [];
    this.#pushes = [];
    this.#characters = 0;
  }
}

/** Returns the signals of a step, in their order in a recording. */
export function signalsOfStep(step: Step): RecordedSignal[] {
  if (step.kind !== 'command') return [step];
  return [step.head, ...step.inner, ...step.pushes.map((push) => ({ ...push, kind: 'inner-push' }) as const)];
}

export function timeOfStep(step: Step): PushSignal['at'] {
  return step.kind === 'command' ? step.head.at : step.at;
}
