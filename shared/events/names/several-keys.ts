/**
 * One of the keys of a lock that has several in one Redis: `rueidislock:1:orders:42` is key 1 of the lock `orders:42`.
 */
type PartOfLock = { readonly prefix: string; readonly index: number; readonly rest: string };

const PART = /^(.+?):(\d{1,2}):(.+)$/s;

/** Reads the key of one part of a lock, as rueidislock names it; undefined for any other name. */
export function partOfLock(key: string): PartOfLock | undefined {
  const [, prefix, index, rest] = PART.exec(key) ?? [];
  if (prefix === undefined || rest === undefined) return undefined;
  return { prefix, index: Number(index), rest };
}

export function keyOfPart({ prefix, rest }: PartOfLock, index: number): string {
  return `${prefix}:${index}:${rest}`;
}
