import type { LockKey } from '../mirror/lock-keys.ts';
import { BULL_JOB } from './bull-job.ts';
import { EXPIRABLE_SEMAPHORE } from './expirable-semaphore.ts';
import { FAIR_LOCK } from './fair-lock.ts';
import type { Companion, Companions, Family } from './family.ts';
import { FENCED_LOCK } from './fenced-lock.ts';
import { GROUP_LOCK } from './group-lock.ts';
import { LATCH } from './latch.ts';
import { PLAIN_LOCK } from './plain-lock.ts';
import { READ_WRITE_LOCK } from './read-write-lock.ts';
import { SEMAPHORE } from './semaphore.ts';
import { SPIN_LOCK } from './spin-lock.ts';
import { TOKEN_LOCK } from './token-lock.ts';

/** Every family of locks. A script is offered to them in this order; the first that recognises it decides. */
export const FAMILIES: readonly Family[] = [
  LATCH,
  GROUP_LOCK,
  FENCED_LOCK,
  SPIN_LOCK,
  PLAIN_LOCK,
  FAIR_LOCK,
  READ_WRITE_LOCK,
  EXPIRABLE_SEMAPHORE,
  SEMAPHORE,
  BULL_JOB,
  TOKEN_LOCK,
];

/** Every companion key, with its family. */
export const COMPANIONS: readonly (Companion & { readonly family: Family })[] = FAMILIES.flatMap((family) =>
  (family.companions ?? []).map((companion) => ({ ...companion, family })),
);

/**
 * The keys to read together with a lock's own: those of its kind, or all that could show the kind while it is unknown.
 */
export function companionsOf(key: LockKey | undefined): readonly Companion[] {
  if (!key?.isKindKnown) return REVEALING;
  return FAMILIES.find(({ kind, companions }) => kind === key.kind && companions)?.companions ?? [];
}

/** What to read of a string key that looks like a lock. */
export const TOKEN_COMPANIONS: readonly Companion[] = TOKEN_LOCK.companions ?? [];

const REVEALING: readonly Companion[] = COMPANIONS.filter(
  ({ family, isOwnKey }) => family.isShownBy !== undefined && !isOwnKey,
);

/** What we believe a lock's companions hold, in the form of a read; undefined: nothing. */
export function believedBeside(key: LockKey): Companions | undefined {
  if (!key.mirrors) return undefined;
  const found: Companions[] = [];
  for (const family of FAMILIES) {
    const believed = family.believed?.(key);
    if (believed) found.push(believed);
  }
  return found.length === 0 ? undefined : Object.assign({}, ...found);
}

/** The lock, the family and the role of a companion key; undefined for any other key. */
export function companionFrom(
  key: string,
): { lock: string; role: string; family: Family; isCommonName?: true } | undefined {
  for (const { role, family, lockOf, isCommonName } of COMPANIONS) {
    const lock = lockOf(key);
    if (lock !== undefined) return { lock, role, family, ...(isCommonName ? { isCommonName } : undefined) };
  }
  return undefined;
}
