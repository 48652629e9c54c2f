import { expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import { parseMonitorLine } from '../signals/monitor-line.ts';
import type { LineSignal } from '../signals/signal.ts';
import { StepJoiner } from './steps-from-recording.ts';

function lineOf(text: string): LineSignal {
  const parsed = parseMonitorLine(text);
  if (!parsed.ok) throw new Error(`not a line of MONITOR: ${text}`);
  return parsed.value;
}

test('if a line was lost in a script, the next script does not get inner lines of that script', () => {
  const joiner = new StepJoiner();
  const lines = [
    lineOf('1.000001 [0 10.0.0.7:1] "EVALSHA" "f" "1" "a"'),
    lineOf('1.000002 [0 lua] "exists" "a"'),
    { kind: 'lost-line', at: redisTime(1_000_002) } as const,
    lineOf('2.000001 [0 10.0.0.7:1] "EVALSHA" "f" "1" "b"'),
    lineOf('2.000002 [0 lua] "exists" "b"'),
  ];
  const steps = [...lines.flatMap((line) => joiner.add(line)), ...joiner.finish()];
  expect(steps.map(({ kind }) => kind)).toEqual(['blind-spot', 'blind-spot', 'command']);
  expect(steps.at(-1)).toMatchObject({ inner: [{ at: 2_000_002 }] });
  expect(steps.at(-1)).not.toMatchObject({ inner: [{ at: 1_000_002 }] });
});

test('a script with too many or too long lines is dropped, and the next script is read', () => {
  const joiner = new StepJoiner();
  const head = lineOf('1.000001 [0 10.0.0.7:1] "EVALSHA" "f" "1" "a"');
  const inner = lineOf('1.000002 [0 lua] "exists" "a"');
  joiner.add(head);
  const dropped = Array.from({ length: 300_000 }, () => joiner.add(inner)).flat();
  expect(dropped).toMatchObject([
    { kind: 'blind-spot', phase: 'began', at: head.at, reason: 'script-too-long' },
    { kind: 'blind-spot', phase: 'ended' },
  ]);
  expect(joiner.finish()).toEqual([]);
  joiner.add(head);
  joiner.add(inner);
  expect(joiner.finish()).toMatchObject([{ kind: 'command', inner: [{ at: inner.at }] }]);
  // few lines, but long ones
  joiner.add(head);
  const long = { ...inner, words: ['exists', 'x'.repeat(1_000_000)] };
  expect(Array.from({ length: 20 }, () => joiner.add(long)).flat()).toHaveLength(2);
});
