import { fail, ok } from '../../shared/base/result.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import type { RecordedSignal } from '../../shared/recording/format.ts';
import { signalFromJson } from '../../shared/recording/parse-signal-line.ts';
import { RecordingReader } from '../../shared/recording/read-recording.ts';
import { Recorder } from '../../shared/recording/recorder.ts';
import { lineFromSignal } from '../../shared/recording/signal-line.ts';
import { StepJoiner } from '../../shared/recording/steps-from-recording.ts';
import type { LostLine } from '../../shared/signals/signal.ts';
import type { Step } from '../../shared/signals/step.ts';
import { problem } from '../../shared/wire/problems/problem.ts';

/** Records steps while they are interpreted, then interprets the recording. */
export function recordAndReplay(steps: readonly Step[], hasCommands = true) {
  const live = new Interpreter({ source: 'redis', hasCommands });
  const recorder = new Recorder(live);
  const events: LockEvent[] = [];
  const lines: string[] = [];
  for (const step of steps) {
    const made = live.interpret(step);
    lines.push(...recorder.note(step, made.length).map(lineFromSignal));
    events.push(...made);
  }
  const fresh = new Interpreter({ source: 'redis', hasCommands });
  const replayed = [...beginningOf(steps), ...recordedSteps(lines)].flatMap((step) => fresh.interpret(step));
  return { live, recorder, events, lines, replayed, fresh };
}

/** A step with the instant from which these steps were seen. A recording has it in `watch`. */
export function beginningOf(steps: readonly Step[]): Step[] {
  return steps.slice(0, 1).map((step) => ({ kind: 'time', at: step.kind === 'command' ? step.head.at : step.at }));
}

export function recordedSteps(lines: readonly string[]): Step[] {
  return stepsFromRecording(
    lines.map((line) => {
      const signal = signalFromJson(JSON.parse(line));
      if (!signal.ok) throw new Error(`${signal.error}: ${line}`);
      return signal.value;
    }),
  );
}

/** Reads the whole text of a recording; fails with the reason if it is not one. */
export function parseRecording(text: string) {
  const reader = new RecordingReader();
  const signals: RecordedSignal[] = [];
  const lines = text.split('\n');
  for (const line of lines) {
    const read = reader.add(line);
    if (!read.ok) return read;
    for (const signal of read.value) if (signal.kind !== 'lost-line') signals.push(signal);
  }
  const { header, end, badLines, badCount } = reader;
  return header ? ok({ header, signals, end, badLines, badCount }) : fail(problem('not-a-recording', {}));
}

/** Returns every step of a recording, in order. */
export function stepsFromRecording(signals: Iterable<RecordedSignal | LostLine>): Step[] {
  const joiner = new StepJoiner();
  const steps: Step[] = [];
  for (const signal of signals) steps.push(...joiner.add(signal));
  steps.push(...joiner.finish());
  return steps;
}
