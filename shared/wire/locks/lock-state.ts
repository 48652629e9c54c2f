import { z } from 'zod';
import type { LockState } from '../../state/lock-state.ts';
import { lockKind } from './lock.ts';

const common = z.looseObject({
  source: z.string(),
  db: z.number().int(),
  name: z.string(),
  kind: lockKind,
  holders: z.array(z.looseObject({ id: z.string(), since: z.number().nullable() })),
  believers: z.array(z.looseObject({ id: z.string() })),
  waiters: z.array(z.looseObject({ id: z.string(), since: z.number() })),
  changedAt: z.number(),
  changedSeq: z.number().int(),
});

/**
 * The state of a lock from the network. Fields that are not listed are kept unchecked, because both ends use the same
 * type, `LockState`.
 */
export const lockStateSchema = common.transform((state) => state as unknown as LockState);
