import { expect, test } from 'vitest';
import { ZH_CN } from '../zh-CN.ts';
import { withAfter } from './number.ts';

test('a length that ends with a Chinese unit is followed by no space', () => {
  expect(withAfter('34 秒', '内')).toBe('34 秒内');
  expect(withAfter('850 ms', '内')).toBe('850 ms 内');
  expect(withAfter('12 µs', '内')).toBe('12 µs 内');
});

test('Chinese sentences have no space after a length, and none between two sentences', () => {
  const { common, eventList, events, recordingList, remedies, waits } = ZH_CN;
  const texts = [
    ...[remedies.noTurns('34 秒'), remedies.renewal.long('30 秒'), waits.unseen.level('redis', '34 秒')],
    ...[recordingList.noProblems('34 秒'), events.notWatchedFor('34 秒'), eventList.runWithin('34 秒')],
    common.sentences(['未观测。', '空闲。']),
  ];
  expect(texts.filter((text) => /[秒。] \p{Script=Han}/u.test(text))).toEqual([]);
});
