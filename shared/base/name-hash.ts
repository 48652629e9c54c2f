/** From a long name, only this many characters at both ends are hashed. */
const HASHED_CHARS = 64;

/** A hash of a lock's name, for an index that shows whether a list may contain the lock. */
export function hashOf(name: string): number {
  let hash = name.length;
  for (let n = 0; n < Math.min(name.length, HASHED_CHARS); n++) {
    hash = Math.imul(hash, 31) + name.charCodeAt(n);
    hash = Math.imul(hash, 31) + name.charCodeAt(name.length - 1 - n);
  }
  return hash | 0;
}
