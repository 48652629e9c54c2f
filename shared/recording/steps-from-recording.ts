import type { LineSignal, LostLine, PushSignal } from '../signals/signal.ts';
import type { Step } from '../signals/step.ts';
import type { RecordedSignal } from './format.ts';

/** Joins the signals of a recording into steps again. A command is complete when the next step begins. */
export class StepJoiner {
  #head: LineSignal | undefined;
  #inner: LineSignal[] = [];
  #pushes: PushSignal[] = [];

  /** Takes the next signal; returns the steps that are complete now. A lost line may have been a part of the open command. */
  add(signal: RecordedSignal | LostLine): Step[] {
    if (signal.kind === 'lost-line') {
      this.#head = undefined;
      this.#inner = [];
      this.#pushes = [];
      const spot = { kind: 'blind-spot', at: signal.at, reason: 'line-lost' } as const;
      return [
        { ...spot, phase: 'began' },
        { ...spot, phase: 'ended' },
      ];
    }
    if (signal.kind === 'line' && signal.client === null) {
      if (this.#head) this.#inner.push(signal); // a script whose head could not be read is dropped
      return [];
    }
    if (signal.kind === 'inner-push') {
      if (this.#head) this.#pushes.push({ ...signal, kind: 'push' });
      return [];
    }
    const steps = this.finish();
    if (signal.kind === 'line') this.#head = signal;
    else steps.push(signal);
    return steps;
  }

  /** Returns the command that is still open at the end, if there is one. */
  finish(): Step[] {
    if (!this.#head) return [];
    const step: Step = { kind: 'command', head: this.#head, inner: this.#inner, pushes: this.#pushes };
    this.#head = undefined;
    this.#inner = [];
    this.#pushes = [];
    return [step];
  }
}

/** Returns every step of a recording, in order. */
export function stepsFromRecording(signals: Iterable<RecordedSignal>): Step[] {
  const joiner = new StepJoiner();
  const steps: Step[] = [];
  for (const signal of signals) steps.push(...joiner.add(signal));
  steps.push(...joiner.finish());
  return steps;
}

/** Returns the signals of a step, in their order in a recording. */
export function signalsOfStep(step: Step): RecordedSignal[] {
  if (step.kind !== 'command') return [step];
  return [step.head, ...step.inner, ...step.pushes.map((push) => ({ ...push, kind: 'inner-push' }) as const)];
}

/** Returns the time of a step. */
export function timeOfStep(step: Step): PushSignal['at'] {
  return step.kind === 'command' ? step.head.at : step.at;
}
