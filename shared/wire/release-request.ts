import { z } from 'zod';
import { lockName, source } from './query.ts';

/*
 * Requests that write to Redis. A misspelt field would be ignored, and the request could do more than was meant, so
 * unknown fields are refused.
 */

const confirm = lockName.describe('The name of the lock, typed again.');
const db = z.int().min(0).describe('Number of a database of Redis.');
const dryRun = z.boolean().optional().describe('Only answers what would be sent.');

/** Asks to release a lock by force. */
export const releaseRequest = whole(['holders'], {
  confirm,
  source: source.optional(),
  db: db.optional(),
  holders: z
    .array(z.string().max(1000))
    .max(1000)
    .optional()
    .describe('Ids of the holders that the asker saw, all of them. Required without `dryRun`.'),
  since: z
    .array(z.number().nullable())
    .max(1000)
    .optional()
    .describe('When each of `holders` acquired the lock, as the dry run answered. Absent: at any time.'),
  dryRun,
});

/** Asks to remove the dead head of a fair lock's queue. */
export const deadHeadRequest = whole(['head', 'deadline'], {
  confirm,
  source: source.optional(),
  db: db.optional(),
  head: z.string().max(1000).optional().describe('The head, as the dry run showed it. Required without `dryRun`.'),
  deadline: z
    .string()
    .max(100)
    .optional()
    .describe('Its deadline, as the dry run showed it. Required without `dryRun`.'),
  dryRun,
});

/** An object with these fields and no others. Those in `needed` are required unless it is a dry run. */
function whole<Shape extends { dryRun: typeof dryRun }>(needed: readonly (keyof Shape & string)[], shape: Shape) {
  const rule = {
    anyOf: [{ required: [...needed] }, { required: ['dryRun'], properties: { dryRun: { const: true } } }],
  };
  return z
    .strictObject(shape)
    .meta({ ...rule, examples: [{ confirm: 'orders:42', dryRun: true }] })
    .check(({ value, issues }) => {
      const given = value as Readonly<Record<string, unknown>>; // each field is read by its name
      if (given.dryRun === true) return;
      for (const name of needed) {
        if (given[name] === undefined)
          issues.push({ code: 'invalid_type', expected: 'nonoptional', input: undefined, path: [name] });
      }
    });
}
