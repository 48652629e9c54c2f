import { expect, test } from 'vitest';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { EN } from '../words/en.ts';
import { firstSentence, verdictLine } from './verdict-line.ts';

const line = (holders: string[], values: WireInsight['values'], effect: WireInsight['effect'] = 'stuck') =>
  verdictLine({ holders, values, effect }, (id) => `<${id}>`, EN.verdicts);

test('a line names at most two threads, and has the number of waiters', () => {
  expect(line(['a:1'], { waiting: 12 })).toEqual({ who: '<a:1>', victims: '12 wait' });
  expect(line(['a:1', 'b:2', 'c:3'], { path: [{ lock: 'x' }, { lock: 'y' }, { lock: 'z' }] })).toEqual({
    who: '<a:1>, <b:2> and 1 more',
    victims: '3 wait',
  });
  expect(line([], { waiting: 0, asleep: 2 })).toEqual({ who: null, victims: '2 wait' });
  expect(line([], { waiting: 1, areListeners: true })).toEqual({ who: null, victims: '1 or more wait' });
  expect(line([], { waiting: 3, areListeners: false })).toEqual({ who: null, victims: '3 wait' });
  expect(line([], {})).toEqual({ who: null, victims: null });
});

test('a line about a lost lock names the thread that acquired it', () => {
  expect(line(['a:1'], { takenBy: 'b:2', waiting: 3 }, 'lost').victims).toBe('<b:2> got it');
  expect(line(['a:1'], { takenBy: null }, 'lost').victims).toBe(null);
});

test('the line of advice is the first sentence of the advice', () => {
  expect(firstSentence('Wait: this ends at 14:41:37.')).toBe('Wait.');
  expect(firstSentence('Restart 1.2.3 of it. Or not.')).toBe('Restart 1.2.3 of it.');
  expect(firstSentence('请等待：会自行结束。')).toBe('请等待。');
  const wake = 'To wake it, publish 0 on c:{a} (in a cluster with sharded channels: SPUBLISH).';
  expect(firstSentence(`${wake} Then wait.`)).toBe(wake);
  expect(firstSentence('请发布 0（集群：SPUBLISH）。然后等待。')).toBe('请发布 0（集群：SPUBLISH）。');
});
