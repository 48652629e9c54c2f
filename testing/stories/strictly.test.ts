import { expect, test } from 'vitest';
import { z } from 'zod';
import { strictly } from './strictly.ts';

const schema = z.object({ locks: z.array(z.object({ name: z.string(), held: z.boolean().optional() })) });

test('a body with exactly the fields of its schema is returned', () => {
  const body = { locks: [{ name: 'a', held: true }, { name: 'b' }] };
  expect(strictly(schema, body)).toEqual(body);
});

test.each([
  ['at the top', { locks: [], more: 1 }, '.more'],
  ['in a list', { locks: [{ name: 'a' }, { name: 'b', since: 1 }] }, '.locks.1.since'],
])('a field that the schema does not contain fails %s', (_, body, path) => {
  expect(() => strictly(schema, body)).toThrow(path);
});

test('a body that does not match its schema fails', () => {
  expect(() => strictly(schema, { locks: [{}] })).toThrow();
});
