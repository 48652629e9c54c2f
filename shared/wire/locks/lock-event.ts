import { z } from 'zod';
import type { LockEvent } from '../../events/event.ts';
import { CERTAINTIES, EVENT_TYPES } from '../../events/event.ts';
import { lockKind } from './lock.ts';

const common = z.looseObject({
  seq: z.number().int(),
  at: z.number(),
  source: z.string(),
  db: z.number().int(),
  lock: z.string(),
  kind: lockKind,
  type: z.enum(EVENT_TYPES),
  holder: z.string().optional(),
  holdCount: z.number().optional(),
  leaseMs: z.number().optional(),
  expiresAt: z.number().nullable().optional(),
  certainty: z.enum(CERTAINTIES),
  by: z.string().optional(),
  because: z.array(z.number()).optional(),
  letter: z.string().optional(),
  letters: z.record(z.string(), z.string()).optional(),
  group: z.string().optional(),
  groupSeqs: z.array(z.number()).optional(),
});

/**
 * An event from a file or from the network. The common fields are checked. The other fields are kept unchecked, because
 * both ends use the same type, `LockEvent`.
 */
export const lockEventSchema: z.ZodType<LockEvent> = common.transform((event) => event as unknown as LockEvent);
