import { expect, test } from 'vitest';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { isProblem } from './sent-problem.ts';

test('a problem of the server is read, even with a code that this page does not know', () => {
  expect(isProblem(problem('monitor-refused', { user: 'app' }))).toBe(true);
  expect(isProblem({ code: 'new-one', values: {}, message: 'New.', hint: '' })).toBe(true);
});

test.each([
  ['nothing', undefined],
  ['no JSON', null],
  ['a text', 'Bad Gateway'],
  ['an error of a proxy', { code: 502, message: 'Bad Gateway' }],
  ['no values', { code: 'x', message: '', hint: '', values: null }],
])('%s is not a problem of the server', (_what, body) => {
  expect(isProblem(body)).toBe(false);
});
