/** Names longer than this, or not writable as a URL, are linked by their digest. */
const LONGEST_IN_URL = 1000;

/** How a URL points at a lock: by its name, or by a digest of a name no URL can hold. */
export type LockPointer = { readonly name: string } | { readonly digest: string };

/** True when the name fits a URL: short enough and free of half characters. */
export function isNameLinkable(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && name.length <= LONGEST_IN_URL && !/\p{Surrogate}/u.test(name);
}

/** The pointer for a lock's name. */
export function pointerFromName(name: string): LockPointer {
  return isNameLinkable(name) ? { name } : { digest: nameDigest(name) };
}

/** True when `pointer` means the lock called `name`. */
export function isPointerTo(pointer: LockPointer, name: string): boolean {
  return 'name' in pointer ? pointer.name === name : !isNameLinkable(name) && pointer.digest === nameDigest(name);
}

/** A short digest (FNV-1a, length included): tells long names apart, protects nothing. */
export function nameDigest(name: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0;
  return `${name.length.toString(36)}-${hash.toString(36)}`;
}
