import { isHashOfJobs } from '../../../shared/events/libraries/unique-jobs.ts';
import { isGroupLockFieldName, isGroupValue } from '../../../shared/events/names/group-lock-names.ts';
import { isLockField } from '../../../shared/events/names/names.ts';
import { RedisError, type Reply } from '../connection/reply.ts';
import { isKeyRefusal, isRefusal } from '../rights/refused-rights.ts';
import { type Ask, type KeySize, sizesOf } from './key-sizes.ts';

/** What a key of an unknown kind turned out to be. `TooLarge`: it cannot be read to find out. */
type HashVerdict = 'lock' | Exclude<KeySize, number>;

/**
 * The verdict for each of these keys (names as binary). `lock`: a hash in which every field is one that a lock may
 * have, or a hash of jobs by its name. For most hashes of an application, the size and one field show that they are
 * not, and nothing else of them is read.
 */
export async function judgeHashes(ask: Ask, db: number, names: readonly string[]): Promise<HashVerdict[]> {
  if (names.length === 0) return [];
  const verdicts = new Map<string, HashVerdict>();
  const sizes = await sizesOf(ask, db, names);
  names.forEach((name, index) => {
    const size = sizes[index] ?? 'gone';
    if (typeof size !== 'number') verdicts.set(name, size);
  });
  for (const name of names) if (!verdicts.has(name) && isHashOfJobs(name)) verdicts.set(name, 'lock');
  const others = names.filter((name) => !verdicts.has(name));
  const likely = await withLockField(ask, db, others);
  const all = likely.length === 0 ? [] : await ask(select(db), ...likely.map((name) => ['HKEYS', name]));
  likely.forEach((name, index) => {
    if (hasLockFieldsOnly(all[index + 1])) verdicts.set(name, 'lock');
  });
  return names.map((name) => verdicts.get(name) ?? 'other');
}

/** The keys of which one field, chosen by Redis, is one that a lock may have. */
async function withLockField(ask: Ask, db: number, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const [, ...fields] = await ask(select(db), ...names.map((name) => ['HRANDFIELD', name]));
  const isRefused = fields.some((field) => field instanceof RedisError && isRefusal(field) && !isKeyRefusal(field));
  const seen = isRefused ? await firstFields(ask, db, names) : fields;
  return names.filter((_, index) => {
    const field = seen[index];
    return typeof field === 'string' && (isGroupLockFieldName(field) || isLockField(field));
  });
}

/** The first field of each hash, by HSCAN: Redis before 6.2 has no HRANDFIELD, and a user may lack the right to it. */
async function firstFields(ask: Ask, db: number, names: readonly string[]): Promise<Reply[]> {
  const [, ...pages] = await ask(select(db), ...names.map((name) => ['HSCAN', name, '0', 'COUNT', '1']));
  return pages.map((page) => (Array.isArray(page) && Array.isArray(page[1]) ? (page[1][0] ?? null) : null));
}

function hasLockFieldsOnly(fields: Reply | undefined): boolean {
  if (!Array.isArray(fields)) return false;
  const names = fields.map(String);
  const isLock = names.every((name) => isLockField(name) || isGroupLockFieldName(name));
  return isLock && names.some((name) => name !== 'mode' && !isGroupValue(name));
}

function select(db: number): string[] {
  return ['SELECT', String(db)];
}
