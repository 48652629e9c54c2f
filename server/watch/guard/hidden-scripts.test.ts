import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';
import { HiddenScripts } from './hidden-scripts.ts';

const line = (seconds: number, client: string | null, ...words: string[]): LineSignal => ({
  ...{ kind: 'line', at: redisTime(seconds * 1e6), db: 0, client, words },
});
const call = (seconds: number) => line(seconds, '10.0.0.7:4711', 'EVALSHA', 'ab12', '1', 'orders:42', '30000', 'a:1');
const ofScript = (seconds: number) => line(seconds, null, 'exists', 'orders:42');

const hiddenIn = (...lines: LineSignal[]) => {
  const scripts = new HiddenScripts();
  return lines.map((each) => scripts.hidden(each));
};

test('calls of scripts are reported once if no command of a script arrives within two seconds', () => {
  expect(hiddenIn(call(1), call(1), call(2), call(3), call(4))).toEqual([0, 0, 0, 4, 0]);
});

test('scripts that Redis does not know are sent again with their text, so they are not reported at once', () => {
  expect(hiddenIn(call(1), call(1), call(1), call(1), call(1), ofScript(1), call(9))).toEqual(Array(7).fill(0));
});

test('after a command of a script was seen, later calls without commands are not reported', () => {
  expect(hiddenIn(call(1), ofScript(1), call(3), call(4), call(5), call(6))).toEqual(Array(6).fill(0));
});

test('plain commands and scripts without keys are ignored', () => {
  const other = line(1, '10.0.0.7:4711', 'DEL', 'orders:42');
  const keyless = line(4, '10.0.0.7:4711', 'EVAL', '<script ab12>', '0');
  expect(hiddenIn(other, keyless, keyless, keyless, keyless)).toEqual(Array(5).fill(0));
});
