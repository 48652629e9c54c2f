import { byName } from '../base/by-name.ts';
import type { Companion, Companions } from '../events/kinds/companion.ts';
import { COMPANIONS } from '../events/kinds/kinds.ts';
import type { KeyRead } from '../signals/signal.ts';
import { type CopiedKey, type CopiedValue, NO_KEY } from './copied-value.ts';

/*
 * Copied keys in the form of reads, and the reverse.
 */

/** A read returns at most this many items of a list or sorted set. */
export const MOST_ITEMS = 1000;

/** The TTL at `atMs`, in ms with a fraction, so that the end of the lease is exact. */
export function pttlOf({ value, endsAtMs }: CopiedKey, atMs: number): number {
  if (value === null) return -2;
  return endsAtMs === null ? -1 : Math.max(0, endsAtMs - atMs);
}

/** The own key of a lock as a read found it; `undefined` if the read did not show its content. */
export function ownKeyFrom({ type, fields, pttl, companions }: KeyRead, atMs: number): CopiedKey | undefined {
  if (type === 'none' || pttl === -2) return NO_KEY;
  const endsAtMs = pttl < 0 ? null : atMs + pttl;
  if (type === 'hash') return { value: { type: 'hash', fields: new Map(Object.entries(fields)) }, endsAtMs };
  const role = COMPANIONS.find((each) => each.isOwnKey && companions?.[each.role] !== undefined)?.role;
  const [text] = (role !== undefined && companions?.[role]) || [];
  return type === 'string' && text !== undefined ? { value: { type: 'string', text }, endsAtMs } : undefined;
}

/**
 * A key beside a lock as a read found it; `undefined` if the read returned, or may have returned, only a part of it.
 */
export function companionKeyFrom(
  { type, lengthRole }: Companion,
  items: readonly string[],
  companions: Companions,
): CopiedKey | undefined {
  if (items.length === 0) return NO_KEY;
  if (type === 'string') return { value: { type, text: items[0] ?? '' }, endsAtMs: null };
  const count = type === 'zset' ? items.length / 2 : items.length;
  const length = Number((lengthRole !== undefined && companions[lengthRole]?.[0]) || count);
  if (length > count || count >= MOST_ITEMS) return undefined;
  if (type === 'list') return { value: { type, items }, endsAtMs: null };
  const scores = new Map<string, number>();
  for (let n = 0; n + 1 < items.length; n += 2) scores.set(items[n] ?? '', Number(items[n + 1]));
  return { value: { type, scores }, endsAtMs: null };
}

/** The fields of a hash; empty for anything else. */
export function fieldsOf(value: CopiedValue | null): Record<string, string> {
  return value?.type === 'hash' ? byName(value.fields) : {};
}

/** The items of a list, the members and scores of a sorted set, or one value, as a read returns them. */
export function itemsOf(value: CopiedValue | null): readonly string[] {
  switch (value?.type) {
    case 'list':
      return value.items;
    case 'zset':
      return [...value.scores].sort(byScore).flatMap(([member, score]) => [member, String(score)]);
    case 'string':
      return [value.text];
    default:
      return [];
  }
}

/** As Redis orders a sorted set: by score, then by member. */
function byScore([a, scoreOfA]: [string, number], [b, scoreOfB]: [string, number]): number {
  return scoreOfA - scoreOfB || (a < b ? -1 : 1);
}

/** How many items a list or sorted set has; 1 for any other value, 0 without a value. */
export function lengthOf(value: CopiedValue | null): number {
  return value?.type === 'list' ? value.items.length : value?.type === 'zset' ? value.scores.size : value ? 1 : 0;
}

/** Whether two own keys of locks have the same content: a hash or a string. The order of fields does not matter. */
export function isSameValue(a: CopiedValue | null, b: CopiedValue | null): boolean {
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

function plain(value: CopiedValue | null): unknown {
  if (value?.type === 'hash') return [...value.fields].sort();
  return value;
}
