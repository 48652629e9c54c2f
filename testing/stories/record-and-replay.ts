import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { signalFromJson } from '../../shared/recording/parse-signal-line.ts';
import { Recorder } from '../../shared/recording/recorder.ts';
import { lineFromSignal } from '../../shared/recording/signal-line.ts';
import { stepsFromRecording } from '../../shared/recording/steps-from-recording.ts';
import type { Step } from '../../shared/signals/step.ts';

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

/** The instant from which these steps were seen, which `watch` has in a file. */
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
