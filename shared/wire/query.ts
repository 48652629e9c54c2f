import { z } from 'zod';

/** Redis time in µs. */
export const instant = z.coerce.number().int().min(0);
export const db = z.coerce.number().int().min(0);
export const source = z.string().max(256);
export const lockName = z.string().max(2_000_000);
/** A boolean as `true`, `false`, `1` or `0`. */
export const flag = z.enum(['true', 'false', '1', '0']).transform((word) => word === 'true' || word === '1');
/** How many entries a response may have: `most` at most, `usual` by default. */
export const limit = (most: number, usual: number) => z.coerce.number().int().min(1).max(most).default(usual);

/** A check that `to` is not earlier than `from`; the error is about `to`. */
export const inOrder = [
  ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
    from === undefined || to === undefined || from <= to,
  { path: ['to'] as PropertyKey[], params: { before: 'from' } },
] as const;
