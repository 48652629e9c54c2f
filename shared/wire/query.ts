import { z } from 'zod';

/*
 * Parts of requests. Their descriptions are shown by `GET /api/openapi.json`.
 */

export const instant = z.coerce.number().int().min(0).describe('An instant: Redis time in µs since 1970.');
export const db = z.coerce.number().int().min(0).describe('Number of a database of Redis.');
export const source = z.string().max(256).describe('Id of a source, as in GET /api/health.');
export const lockName = z
  .string()
  .max(2_000_000)
  .describe('Name of a lock.')
  .meta({ examples: ['orders:42'] });
/** The position in a list at which a part of the list begins. */
export const cursor = z.coerce.number().int().min(0).describe('`nextCursor` of the page before.');
/** A boolean as text. */
export const flag = z.enum(['true', 'false', '1', '0']).transform((word) => word === 'true' || word === '1');
/** How many entries an answer may have: a request may ask for up to `most`, and without it there are up to `usual`. */
export const limit = (most: number, usual: number) =>
  z.coerce.number().int().min(1).max(most).default(usual).describe('How many entries the answer may have.');

/** A check that `to` is not earlier than `from`; the error is about `to`. */
export const inOrder = [
  ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
    from === undefined || to === undefined || from <= to,
  { path: ['to'] as PropertyKey[], params: { before: 'from' } },
] as const;
