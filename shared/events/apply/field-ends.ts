import type { RedisTime } from '../../base/time.ts';
import type { ActionOf } from '../action.ts';
import type { Context, Origin } from '../context.ts';
import type { Appliers } from './appliers.ts';

/*
 * Ends of single fields of a hash (Redis 7.4, Valkey 9). No library uses them for its locks, but a command may set one
 * for a holder's field.
 */

export const FIELD_ENDS: Appliers<'set-field-expiry'> = { 'set-field-expiry': setFieldEnd };

/**
 * Notes when a field of a held lock ends. The field disappears at that time, and the hash with its last field. A read
 * then shows that, and whether the command had an effect.
 */
function setFieldEnd(to: Context, action: ActionOf<'set-field-expiry'>, { db, by }: Origin): void {
  const key = to.keys.find(db, action.key);
  if (!key || key.holders.size === 0) return;
  key.mirrors ??= {};
  const { command, expiresAt } = action;
  key.mirrors.fieldEnd = expiresAt === null ? undefined : { at: expiresAt, command, by };
}

/** Asks for a read of each lock whose field has reached its end. */
export function readEndedFields(to: Context, at: RedisTime): void {
  for (const key of to.keys.held()) {
    const { mirrors } = key;
    if (!mirrors?.fieldEnd || mirrors.fieldEnd.at > at) continue;
    mirrors.mayBeTaken = mirrors.fieldEnd;
    mirrors.fieldEnd = undefined;
    to.onDoubt(key);
  }
}
