import type { Lock } from './lock.ts';

/** The difference between two views of a lock: fields with their new values, and fields that were removed. */
export type LockPatch = { set: Partial<Lock>; unset?: (keyof Lock)[] };

/** Returns the patch from `from` to `to`; undefined if they are equal. */
export function patchBetween(from: Lock, to: Lock): LockPatch | undefined {
  const set: Record<string, unknown> = {};
  const unset: string[] = [];
  for (const [name, value] of Object.entries(to)) {
    if (value !== undefined && !isSame(from[name as keyof Lock], value)) set[name] = value;
  }
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && to[name as keyof Lock] === undefined) unset.push(name);
  }
  if (Object.keys(set).length === 0 && unset.length === 0) return undefined;
  return { set, ...(unset.length > 0 ? { unset: unset as (keyof Lock)[] } : {}) }; // names of a lock's fields
}

/** Returns the lock after a patch. */
export function patchedLock(from: Lock, { set, unset = [] }: LockPatch): Lock {
  const next: Lock = { ...from, ...set };
  for (const name of unset) delete next[name];
  return next;
}

/** Whether two JSON values are equal. A field that is undefined counts as absent. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isSame(item, b[index]));
  }
  const left = a as Record<string, unknown>; // an object that is not an array
  const right = b as Record<string, unknown>;
  for (const name in left) if (!isSame(left[name], right[name])) return false;
  for (const name in right) if (right[name] !== undefined && left[name] === undefined) return false;
  return true;
}
