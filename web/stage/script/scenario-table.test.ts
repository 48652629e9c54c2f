import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EN } from '../../words/en.ts';
import { GROUPS, SCENARIO_TABLE } from './scenario-table.ts';

const FILES = readdirSync(new URL('../../../server/demo/scenarios/', import.meta.url))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((id) => id !== 'all');

test('every scenario of the demo has a row in the table and a lesson', () => {
  expect(Object.keys(SCENARIO_TABLE).sort()).toEqual(FILES.sort());
  expect(Object.keys(EN.lessons.of).sort()).toEqual(FILES);
});

test('no group is empty, and a sentence of a lesson has at most 20 words', () => {
  const used = new Set(Object.values(SCENARIO_TABLE).map(({ group }) => group));
  expect([...used].sort()).toEqual([...GROUPS].sort());
  for (const lesson of Object.values(EN.lessons.of)) {
    for (const sentence of Object.values(lesson).flatMap((text) => text.split(/(?<=\.) /))) {
      expect(sentence.split(' ').length, sentence).toBeLessThanOrEqual(20);
    }
  }
});
