import { textFromBinary } from '../base/bytes-text.ts';
import type { RedisTime } from '../base/time.ts';
import { redisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { Interpreter } from '../events/interpreter.ts';
import { parseMonitorLine } from '../signals/monitor-line.ts';
import type { PushSignal, Signal } from '../signals/signal.ts';
import type { Step } from '../signals/step.ts';
import { StepAssembler } from '../signals/step-assembler.ts';

/** The first line of a trace of a server that does not escape quotes and backslashes in lines (Valkey 8.1.0 and 8.1.1). */
export const UNESCAPED = '# Quotes and backslashes are not escaped.';

/**
 * Reads a recorded trace (latin-1 text): MONITOR lines verbatim, `> [...]` push frames as JSON, `#` remarks.
 * Throws on a line it cannot read.
 */
export function signalsFromTrace(text: string): Signal[] {
  const signals: Signal[] = [];
  const isUnescaped = text.startsWith(UNESCAPED);
  let at: RedisTime = redisTime(0);
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith('> ')) {
      signals.push(pushFromJson(line.slice(2), at));
      continue;
    }
    const parsed = parseMonitorLine(line, isUnescaped);
    if (!parsed.ok) throw new Error(`${parsed.error.reason}: ${line}`);
    at = parsed.value.at;
    signals.push(parsed.value);
  }
  return signals;
}

/** Parses `["pmessage", pattern, channel, message]`. Its UTF-8 was read as latin-1, together with the lines. */
function pushFromJson(json: string, at: RedisTime): PushSignal {
  const frame = JSON.parse(json) as string[]; // written by the recorder
  const [channel = '', message = ''] = frame.slice(-2);
  return { kind: 'push', at, channel: textFromBinary(channel), message: textFromBinary(message) };
}

/** The steps of these signals, in order. */
export function stepsFromSignals(signals: readonly Signal[], isPushFirst: boolean): Step[] {
  const assembler = new StepAssembler(isPushFirst);
  const steps = signals.flatMap((signal) => assembler.add(signal));
  return [...steps, ...assembler.settle()];
}

/** The events of a trace. */
export function eventsFromTrace(text: string, isPushFirst: boolean): LockEvent[] {
  const interpreter = new Interpreter({ source: 'trace' });
  return stepsFromSignals(signalsFromTrace(text), isPushFirst).flatMap((step) => interpreter.interpret(step));
}
