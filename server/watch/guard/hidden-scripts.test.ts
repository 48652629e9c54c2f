import { describe, expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';
import { HiddenScripts } from './hidden-scripts.ts';

const at = (seconds: number) => redisTime(seconds * 1e6);
const line = (seconds: number, client: string | null, ...words: string[]): LineSignal => ({
  ...{ kind: 'line', at: at(seconds), db: 0, client, words },
});
const call = (seconds: number) => line(seconds, '10.0.0.7:4711', 'EVALSHA', 'ab12', '1', 'orders:42', '30000', 'a:1');
const ofScript = (seconds: number) => line(seconds, null, 'exists', 'orders:42');

type Info = { readonly s: number; readonly text: string };
const info = (s: number, calls: number, failed: number): Info => ({
  s,
  text: `cmdstat_evalsha:calls=${calls},usec=9,usec_per_call=3.00,rejected_calls=0,failed_calls=${failed}\r\n`,
});

const hiddenIn = (...all: (LineSignal | Info)[]) => {
  const scripts = new HiddenScripts();
  return all.flatMap((each) => {
    if ('kind' in each) return [scripts.hidden(each)];
    scripts.heardStats(each.text, at(each.s), at(each.s + 0.01));
    return [];
  });
};

describe('scripts that ran without a command in MONITOR', () => {
  test('are reported once, as soon as INFO shows that none of their calls failed', () => {
    const calls = [call(1), call(1.5), call(1.6), call(3)];
    expect(hiddenIn(info(0, 40, 2), ...calls, info(4, 44, 2), call(5), call(6))).toEqual([0, 0, 0, 0, 4, 0]);
  });

  test('are reported although calls failed, if at least 3 did not', () => {
    const calls = [call(1), call(1.5), call(1.6), call(1.8), call(3)];
    expect(hiddenIn(info(0, 40, 2), ...calls, info(4, 47, 4), call(5))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(hiddenIn(info(0, 40, 2), ...calls, info(4, 46, 3), call(5))).toEqual([0, 0, 0, 0, 0, 3]);
  });

  test('are counted over several replies to INFO', () => {
    const calls = [info(0, 1, 0), call(1), call(1.5), info(2, 3, 0), call(3), call(3.5), info(4, 5, 0)];
    expect(hiddenIn(...calls, call(5))).toEqual([0, 0, 0, 0, 4]);
  });

  test('are reported also if they are functions, called by FCALL', () => {
    const run = (s: number) => line(s, '10.0.0.7:4711', 'FCALL', 'acquire', '1', 'orders:42', 'a:1');
    const stats = (s: number, calls: number) => ({ s, text: `cmdstat_fcall:calls=${calls},usec=9,failed_calls=0\r\n` });
    expect(hiddenIn(stats(0, 9), run(1), run(1.1), run(1.2), run(1.3), stats(2, 13), run(3))).toEqual([0, 0, 0, 0, 4]);
  });
});

describe('without INFO about failed calls, calls without a command', () => {
  const old = (s: number, calls: number) => ({ s, text: `cmdstat_evalsha:calls=${calls},usec=9\r\n` });

  test('are reported after 10 s, with a Redis before 6.2 or without the right to INFO', () => {
    const calls = [call(1), call(1.5), call(2), call(10.9), call(11.1)];
    expect(hiddenIn(...calls)).toEqual([0, 0, 0, 0, 4]);
    expect(hiddenIn(old(0, 40), ...calls.slice(0, 4), old(11, 44), call(11.1))).toEqual([0, 0, 0, 0, 4]);
  });

  test('are not reported if INFO shows within 10 s how many calls failed', () => {
    expect(hiddenIn(call(1), call(1.5), call(2), info(3, 60, 22), call(12), call(13))).toEqual(Array(5).fill(0));
  });
});

describe('nothing is reported', () => {
  const storm = Array.from({ length: 20 }, (_, n) => call(1 + n / 10));

  test('if Redis refuses the calls, for example because it does not have the script', () => {
    expect(hiddenIn(info(0, 40, 2), ...storm, info(4, 60, 22), call(5), call(5), call(6))).toEqual(Array(23).fill(0));
  });

  test('if MONITOR shows late that calls ran before the first INFO', () => {
    expect(hiddenIn(info(3, 60, 22), ...storm, info(5, 60, 22), call(6))).toEqual(Array(21).fill(0));
  });

  test('if INFO shows fewer calls, as after CONFIG RESETSTAT', () => {
    expect(hiddenIn(info(0, 40, 0), ...storm, info(4, 0, 0), call(6))).toEqual(Array(21).fill(0));
  });

  test('after a command of a script was seen', () => {
    expect(hiddenIn(info(0, 0, 0), call(1), ofScript(1), ...storm, info(4, 21, 0), call(6))).toEqual(Array(23).fill(0));
  });

  test('of a call whose commands may not have arrived yet', () => {
    const calls = [call(1), call(1.1), call(1.2)];
    expect(hiddenIn(info(0, 1, 0), ...calls, info(4, 4, 0), ofScript(1.2), call(6))).toEqual(Array(5).fill(0));
  });

  test('of plain commands, and of scripts without keys or arguments', () => {
    const other = line(1, '10.0.0.7:4711', 'DEL', 'orders:42');
    const keyless = line(1, '10.0.0.7:4711', 'EVAL', '<script ab12>', '0', 'a');
    const probe = line(1, '10.0.0.7:4711', 'EVAL', '<script ab12>', '1', 'a');
    const calls = [other, keyless, probe, keyless, probe, keyless, probe, other];
    expect(hiddenIn(info(0, 1, 0), ...calls, info(4, 7, 0), other)).toEqual(Array(9).fill(0));
  });
});
