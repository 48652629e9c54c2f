import { textFromBinary } from '../../shared/base/bytes-text.ts';
import type { RedisTime } from '../../shared/base/time.ts';
import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { parseMonitorLine } from '../../shared/signals/monitor-line.ts';
import type { PushSignal, Signal } from '../../shared/signals/signal.ts';
import type { Step } from '../../shared/signals/step.ts';
import { StepAssembler } from '../../shared/signals/step-assembler.ts';
import { type Side, SideSignals } from './side-signals.ts';

/**
 * The first line of a trace of a server that does not escape quotes and backslashes in lines (Valkey 8.1.0 and 8.1.1).
 */
export const UNESCAPED = '# Quotes and backslashes are not escaped.';

/**
 * Reads a recorded trace (latin-1 text): MONITOR lines verbatim, `> [...]` push frames as JSON, `#` remarks.
 * Throws on a line it cannot read. `side`: the file beside the trace; its signals come at its marks.
 */
export function signalsFromTrace(text: string, side?: SideSignals): Signal[] {
  const signals: Signal[] = [];
  const isUnescaped = text.startsWith(UNESCAPED);
  let at: RedisTime = redisTime(0);
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (line.startsWith('#')) {
      if (side) signals.push(...side.at(line, at));
      continue;
    }
    if (line.startsWith('> ')) {
      signals.push(pushFromJson(line.slice(2), at));
      continue;
    }
    const parsed = parseMonitorLine(line, isUnescaped);
    if (!parsed.ok) throw new Error(`${parsed.error.reason}: ${line}`);
    at = parsed.value.at;
    side?.takeLine(parsed.value);
    signals.push(parsed.value);
  }
  return signals;
}

/** Parses `["pmessage", pattern, channel, message]`. Its UTF-8 was read as latin-1, together with the lines. */
function pushFromJson(json: string, at: RedisTime): PushSignal {
  const frame = JSON.parse(json) as string[]; // the recorder wrote it in this form
  const [channel = '', message = ''] = frame.slice(-2);
  return { kind: 'push', at, channel: textFromBinary(channel), message: textFromBinary(message) };
}

/** The steps of these signals, in order. */
export function stepsFromSignals(signals: readonly Signal[], isPushFirst: boolean): Step[] {
  const assembler = new StepAssembler(isPushFirst);
  const steps = signals.flatMap((signal) => assembler.add(signal));
  return [...steps, ...assembler.settle()];
}

/** The events of a trace. `side`: the file beside it, whose signals come at their marks. */
export function eventsFromTrace(text: string, isPushFirst: boolean, side?: Side): LockEvent[] {
  const interpreter = new Interpreter({ source: 'trace' });
  const signals = signalsFromTrace(text, side && new SideSignals(side));
  return stepsFromSignals(signals, isPushFirst).flatMap((step) => interpreter.interpret(step));
}
