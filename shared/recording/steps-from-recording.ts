import type { LockEvent } from '../events/event.ts';
import type { Interpreter } from '../events/interpreter.ts';
import type { LineSignal, PushSignal } from '../signals/signal.ts';
import type { Step } from '../signals/step.ts';
import type { ConnectionSignal, RecordedSignal, TimeSignal, WatchSignal } from './format.ts';

/** What a recording gives an interpreter: a step, or something it knew without one. */
export type RecordedStep = Step | WatchSignal | TimeSignal | ConnectionSignal;

/** Puts the signals of a recording together into steps again. A command is complete when the next thing begins. */
export class StepJoiner {
  #head: LineSignal | undefined;
  #inner: LineSignal[] = [];
  #pushes: PushSignal[] = [];

  /** Takes the next signal and gives back the steps that are complete now, two at most. */
  add(signal: RecordedSignal): RecordedStep[] {
    if (signal.kind === 'line' && signal.client === null) {
      if (this.#head) this.#inner.push(signal); // a script whose head could not be read tells nothing
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

  /** The command that is still open, at the end. */
  finish(): RecordedStep[] {
    if (!this.#head) return [];
    const step: Step = { kind: 'command', head: this.#head, inner: this.#inner, pushes: this.#pushes };
    this.#head = undefined;
    this.#inner = [];
    this.#pushes = [];
    return [step];
  }
}

/** Every step of a recording, in order. */
export function stepsFromRecording(signals: Iterable<RecordedSignal>): RecordedStep[] {
  const joiner = new StepJoiner();
  const steps: RecordedStep[] = [];
  for (const signal of signals) steps.push(...joiner.add(signal));
  steps.push(...joiner.finish());
  return steps;
}

/** The events a recorded step means to this interpreter, which has seen all steps before it. */
export function interpretRecorded(interpreter: Interpreter, step: RecordedStep): LockEvent[] {
  switch (step.kind) {
    case 'watch':
      interpreter.hasCommands = step.level === 'monitor';
      interpreter.hearsMessages = step.hearsMessages !== false;
      return [];
    case 'connection':
      if (step.client !== null) interpreter.clients.learn(step.address, step.client, step.at);
      if (step.name !== null) interpreter.clients.name(step.address, step.name, step.at);
      return [];
    case 'time':
      return interpreter.interpret({ kind: 'push', at: step.at, channel: '', message: '' }); // on no channel: time only
    default:
      return interpreter.interpret(step);
  }
}

/** The signals of a step, in the order a recording keeps them. */
export function signalsOfStep(step: RecordedStep): RecordedSignal[] {
  if (step.kind !== 'command') return [step];
  return [step.head, ...step.inner, ...step.pushes.map((push) => ({ ...push, kind: 'inner-push' }) as const)];
}

/** When a step happened. */
export function timeOfStep(step: RecordedStep): PushSignal['at'] {
  return step.kind === 'command' ? step.head.at : step.at;
}
