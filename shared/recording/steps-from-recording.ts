import type { LockEvent } from '../events/event.ts';
import type { Interpreter } from '../events/interpreter.ts';
import type { LineSignal, PushSignal } from '../signals/signal.ts';
import type { Step } from '../signals/step.ts';
import type { ConnectionSignal, RecordedSignal, TimeSignal, WatchSignal } from './format.ts';

/** One input of an interpreter from a recording: a step, or a fact whose step was not kept. */
export type RecordedStep = Step | WatchSignal | TimeSignal | ConnectionSignal;

/** Joins the signals of a recording into steps again. A command is complete when the next step begins. */
export class StepJoiner {
  #head: LineSignal | undefined;
  #inner: LineSignal[] = [];
  #pushes: PushSignal[] = [];

  /** Takes the next signal; returns the steps that are complete now, two at most. */
  add(signal: RecordedSignal): RecordedStep[] {
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
  finish(): RecordedStep[] {
    if (!this.#head) return [];
    const step: Step = { kind: 'command', head: this.#head, inner: this.#inner, pushes: this.#pushes };
    this.#head = undefined;
    this.#inner = [];
    this.#pushes = [];
    return [step];
  }
}

/** Returns every step of a recording, in order. */
export function stepsFromRecording(signals: Iterable<RecordedSignal>): RecordedStep[] {
  const joiner = new StepJoiner();
  const steps: RecordedStep[] = [];
  for (const signal of signals) steps.push(...joiner.add(signal));
  steps.push(...joiner.finish());
  return steps;
}

/** Returns the events of a recorded step. The interpreter must have taken all steps before it. */
export function interpretRecorded(interpreter: Interpreter, step: RecordedStep): LockEvent[] {
  switch (step.kind) {
    case 'watch':
      interpreter.hasCommands = step.level === 'monitor';
      interpreter.hearsMessages = step.hearsMessages !== false;
      return [];
    case 'connection':
      if (step.client !== null) interpreter.clients.learn(step.address, step.client, step.at);
      if (step.name !== null) interpreter.clients.name(step.address, step.name, step.at, step.namedAt);
      return [];
    case 'time':
      return interpreter.interpret({ kind: 'push', at: step.at, channel: '', message: '' }); // an empty channel: only its time counts
    default:
      return interpreter.interpret(step);
  }
}

/** Returns the signals of a step, in their order in a recording. */
export function signalsOfStep(step: RecordedStep): RecordedSignal[] {
  if (step.kind !== 'command') return [step];
  return [step.head, ...step.inner, ...step.pushes.map((push) => ({ ...push, kind: 'inner-push' }) as const)];
}

/** Returns the time of a step. */
export function timeOfStep(step: RecordedStep): PushSignal['at'] {
  return step.kind === 'command' ? step.head.at : step.at;
}
