import { z } from 'zod';

/** Redis time in µs. */
export const instant = z.coerce.number().int().min(0);
export const db = z.coerce.number().int().min(0);
export const source = z.string().max(256);
export const lockName = z.string().max(2_000_000);
/** A word for true or false. */
export const flag = z.enum(['true', 'false', '1', '0']).transform((word) => word === 'true' || word === '1');
/** How many entries an answer may have. */
export const limit = (most: number, usual: number) => z.coerce.number().int().min(1).max(most).default(usual);

/** Names the field in the error if a stretch of time ends before it begins. */
export const inOrder = [
  ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
    from === undefined || to === undefined || from <= to,
  { path: ['to'] as PropertyKey[], message: 'it lies before "from"' },
] as const;
