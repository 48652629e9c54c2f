import { expect, test } from 'vitest';
import { strictAnswer } from './strict-answer.ts';

const spans = { v: 1, spans: [], truncated: false };

test('an answer must have exactly the fields of the schema of its route', () => {
  strictAnswer('GET', '/api/spans?limit=2', spans);
  expect(() => strictAnswer('GET', '/api/spans', { ...spans, more: 1 })).toThrow('.more');
  expect(() => strictAnswer('GET', '/api/spans', { v: 1, spans: [] })).toThrow('truncated');
  expect(() => strictAnswer('POST', '/api/spans', spans)).toThrow('no route');
});
