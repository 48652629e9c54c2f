import { expect, test } from 'vitest';
import { jsonInSlices } from './json-in-slices.ts';

/** What sliced work makes, and how often it yields. */
function run(body: Record<string, unknown>): { text: string; yields: number } {
  const work = jsonInSlices(body);
  for (let yields = 0; ; yields++) {
    const step = work.next();
    if (step.done) return { text: Buffer.concat(step.value).toString(), yields };
  }
}

const list = (length: number) => Array.from({ length }, (_, n) => ({ n, text: `"${n}\u2028é` }));

test('the text is what JSON.stringify writes, for lists of 0 to 5,000 elements', () => {
  for (const length of [0, 1, 199, 200, 201, 5000]) {
    const body = { v: 1, none: undefined, 'a "name"': list(length), nothing: null, last: { deep: [1, [2]] } };
    expect(run(body).text).toBe(JSON.stringify(body));
  }
  expect(run({}).text).toBe('{}');
  expect(run({ events: [] }).text).toBe('{"events":[]}');
});

test('a long list is written with at least one pause for each 33 KB, and a short list without a pause', () => {
  const body = { v: 1, events: list(20_000) };
  const { text, yields } = run(body);
  expect(yields).toBeGreaterThanOrEqual(Math.floor(text.length / (33 * 1024)));
  expect(run({ v: 1, events: list(100) }).yields).toBe(0);
});
