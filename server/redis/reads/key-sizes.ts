import { RedisError, type Reply } from '../connection/reply.ts';
import { isKeyRefusal, isRefusal } from '../rights/refused-rights.ts';

export type Ask = (...commands: (readonly string[])[]) => Promise<Reply[]>;

/**
 * Why a key is not read: it has more fields, or more bytes, than Lockscope reads. `reply`: the reply was too long to be
 * kept.
 */
export type TooLarge = { readonly reason: 'fields' | 'bytes' | 'reply'; readonly size: number };

/**
 * What is known about a key before its content is read: the bytes of its hash (0 if the user may not run MEMORY), or
 * why it is not read. `gone`: the key does not exist. `other`: it is not a hash, or another server has it. `refused`:
 * this user may not read it. `unknown`: the server did not answer for now.
 */
export type KeySize = number | 'gone' | 'other' | 'refused' | 'unknown' | TooLarge;

/** Errors that show what a key is: it has another type, or another server has it. */
const OTHER_KEY: ReadonlySet<string> = new Set(['WRONGTYPE', 'MOVED', 'ASK', 'CROSSSLOT']);

/** A hash with more fields is not read. Only read locks grow large: they have a field for each reader. */
const MOST_FIELDS = 4096;
/** How many bytes of a key's content are read at most. */
export const MOST_BYTES = 1024 * 1024;
/**
 * Redis adds up the sizes of this many fields. Hashes with more fields are first estimated from these. A user who may
 * not run MEMORY reads only hashes with at most this many fields.
 */
const FEW_FIELDS = 64;
/** Redis rounds the memory of a name up to the next size that it allocates: at most this many times its length. */
const ROUNDING = 1.3;

/**
 * How large these hashes are (names as binary). HLEN costs the same for every hash, and MEMORY USAGE looks at a bounded
 * number of fields, so this is quick for a hash of any size.
 */
export async function sizesOf(ask: Ask, db: number, names: readonly string[]): Promise<KeySize[]> {
  const looks = names.flatMap((name) => [
    ['HLEN', name],
    ['MEMORY', 'USAGE', name, 'SAMPLES', String(FEW_FIELDS)],
  ]);
  const [, ...seen] = await ask(['SELECT', String(db)], ...looks);
  const sizes = names.map((name, index) => sizeFrom(name, seen[index * 2], seen[index * 2 + 1]));
  const inexact = names.filter((_, index) => isEstimate(seen[index * 2], seen[index * 2 + 1]));
  if (inexact.length === 0) return sizes;
  const counts = inexact.map((name) => ['MEMORY', 'USAGE', name, 'SAMPLES', '0']);
  const [, ...exact] = await ask(['SELECT', String(db)], ...counts);
  return sizes.map((size, index) => {
    const name = names[index] ?? '';
    const at = inexact.indexOf(name);
    return at === -1 ? size : sizeFrom(name, seen[index * 2], exact[at]);
  });
}

function isEstimate(fields: Reply | undefined, bytes: Reply | undefined): boolean {
  return typeof fields === 'number' && fields > FEW_FIELDS && fields <= MOST_FIELDS && typeof bytes === 'number';
}

function sizeFrom(name: string, fields: Reply | undefined, bytes: Reply | undefined): KeySize {
  if (fields instanceof RedisError && isRefusal(fields)) return 'refused';
  if (fields instanceof RedisError) return OTHER_KEY.has(fields.code) ? 'other' : 'unknown';
  if (typeof fields !== 'number') return 'unknown';
  if (bytes instanceof RedisError && isKeyRefusal(bytes)) return 'refused';
  if (fields === 0) return 'gone';
  const most = bytes instanceof RedisError ? FEW_FIELDS : MOST_FIELDS;
  if (fields > most) return { reason: 'fields', size: fields };
  const content = typeof bytes === 'number' ? Math.round(bytes - name.length * ROUNDING) : 0;
  return content > MOST_BYTES ? { reason: 'bytes', size: content } : Math.max(0, content);
}

/** How many items of a list or sorted set are read at most. */
export const MOST_ITEMS = 1000;

export type Beside = { readonly name: string; readonly type: 'list' | 'zset' };

/**
 * An estimate of how many bytes a read of each list or sorted set returns; 0 if the key does not exist or is refused.
 */
export async function bytesOfItems(ask: Ask, db: number, keys: readonly Beside[]): Promise<number[]> {
  if (keys.length === 0) return [];
  const looks = keys.map(({ name }) => ['MEMORY', 'USAGE', name, 'SAMPLES', String(MOST_ITEMS)]);
  const [, ...found] = await ask(['SELECT', String(db)], ...looks);
  const bytes = keys.map(({ name }, index) => Math.max(0, (Number(found[index]) || 0) - name.length * ROUNDING));
  const large = keys.filter((_, index) => (bytes[index] ?? 0) > MOST_BYTES);
  if (large.length === 0) return bytes;
  const counts = large.map(({ name, type }) => [type === 'list' ? 'LLEN' : 'ZCARD', name]);
  const [, ...lengths] = await ask(['SELECT', String(db)], ...counts);
  large.forEach((key, at) => {
    const index = keys.indexOf(key);
    bytes[index] = ((bytes[index] ?? 0) / Math.max(1, Number(lengths[at]) || 1)) * MOST_ITEMS;
  });
  return bytes;
}
