/** Names that are longer, or cannot be written in a URL, are linked by their digest. */
const LONGEST_IN_URL = 1000;

/** How a URL names a lock: by its name, or by a digest if no URL can contain the name. */
export type LockPointer = { readonly name: string } | { readonly digest: string };

/** True if a URL can contain the name: at most 1,000 UTF-16 units, no unpaired surrogates, not empty, `.` or `..`. */
export function isNameLinkable(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && name.length <= LONGEST_IN_URL && !/\p{Surrogate}/u.test(name);
}

/** Returns the pointer for a lock's name. */
export function pointerFromName(name: string): LockPointer {
  return isNameLinkable(name) ? { name } : { digest: nameDigest(name) };
}

/** True if `pointer` refers to the lock with this name. */
export function isPointerTo(pointer: LockPointer, name: string): boolean {
  return 'name' in pointer ? pointer.name === name : !isNameLinkable(name) && pointer.digest === nameDigest(name);
}

/** A short digest (length and FNV-1a) that distinguishes long names. It is not cryptographic. */
function nameDigest(name: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0;
  return `${name.length.toString(36)}-${hash.toString(36)}`;
}

/** The lock that the last part of a path and its query name; null: they name none. */
export function parsePointer(encoded: string, query: URLSearchParams): LockPointer | null {
  const digest = query.get('digest');
  if (encoded === '~' && digest) return { digest };
  try {
    const name = decodeURIComponent(encoded);
    return name === '' ? null : { name };
  } catch {
    return null;
  }
}

/** The number of the database in a query; null: absent or not a number. */
export function parseDb(query: URLSearchParams): number | null {
  const text = query.get('db') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
