const QUOTE = 34;
const DASH = 45;
const COLON = 58;
const DASHES = [8, 13, 18, 23];
const [N, X, P, E, A, T, G] = [78, 88, 80, 69, 65, 84, 71];
const [L, O, C, K, M, U, S] = [76, 79, 67, 75, 77, 85, 83];
/** The values of ShedLock's keys begin with this. */
const JOB_VALUE = Buffer.from('ADDED:');
const LONGEST_OPTION = 20;
/** NX, PX, a number, GET. */
const MOST_OPTIONS = 4;
const HEX_DIGITS = 32;

/**
 * Whether a SET ends in NX and a lease, in any order and perhaps with GET, as the attempts of many libraries do. Reads
 * only the last bytes of the line, however long the value is. A lease is PX, EX, PXAT or EXAT.
 *
 *   "SET" "orders:42" "8b6e…" "NX" "PX" "3000"      "set" "orders:42" "s95+…==" "ex" "3" "nx"
 */
export function isTokenTry(buffer: Buffer, from: number, end: number): boolean {
  let at = wordBefore(buffer, from, end);
  let hasNx = false;
  let hasLease = false;
  for (let words = 0; words < MOST_OPTIONS && at > from; words++) {
    if (isOption(buffer, at, N, X)) hasNx = true;
    else if (isLeaseOption(buffer, at)) hasLease = true;
    else if (!isDigit(buffer[at]) && !isGet(buffer, at)) break;
    at = wordBefore(buffer, from, at - 2);
  }
  return hasNx && hasLease;
}

/** Whether the last word of a SET is NX. */
export function endsInNx(buffer: Buffer, end: number): boolean {
  return isOption(buffer, end - 3, N, X) && buffer[end - 4] === QUOTE;
}

/** Whether a value begins like the token of a known library: with a UUID, or as ShedLock's values do. */
export function isTokenValue(buffer: Buffer, at: number, end: number): boolean {
  const after = buffer[at + 36]; // the token of a job of BullMQ is `uuid:3`
  const isUuid =
    at + 36 < end && (after === QUOTE || after === COLON) && DASHES.every((place) => buffer[at + place] === DASH);
  const stop = at + JOB_VALUE.length;
  return isUuid || (stop <= end && buffer.compare(JOB_VALUE, 0, JOB_VALUE.length, at, stop) === 0);
}

/** The index at which the word begins whose closing quote is right before `end`; 0 if it is longer than any option. */
function wordBefore(buffer: Buffer, from: number, end: number): number {
  const lowest = Math.max(from, end - LONGEST_OPTION);
  for (let at = end - 2; at >= lowest; at--) if (buffer[at] === QUOTE) return at + 1;
  return 0;
}

/** Whether a word is PX, EX, PXAT or EXAT. */
function isLeaseOption(buffer: Buffer, at: number): boolean {
  if (isOption(buffer, at, P, X) || isOption(buffer, at, E, X)) return true;
  return (isPair(buffer, at, P, X) || isPair(buffer, at, E, X)) && isOption(buffer, at + 2, A, T);
}

function isGet(buffer: Buffer, at: number): boolean {
  return isPair(buffer, at, G, E) && ((buffer[at + 2] ?? 0) & 0xdf) === T && buffer[at + 3] === QUOTE;
}

function isOption(buffer: Buffer, at: number, first: number, second: number): boolean {
  return isPair(buffer, at, first, second) && buffer[at + 2] === QUOTE;
}

/** Whether these two letters are at this place, in upper or lower case. */
function isPair(buffer: Buffer, at: number, first: number, second: number): boolean {
  return ((buffer[at] ?? 0) & 0xdf) === first && ((buffer[at + 1] ?? 0) & 0xdf) === second;
}

function isDigit(code = 0): boolean {
  return code >= 48 && code <= 57;
}

/**
 * Whether a value is 32 hexadecimal digits in lower case, as node-redlock's tokens are. A script that writes one sets a
 * lock.
 */
export function isHexToken(buffer: Buffer, at: number, end: number): boolean {
  if (at + HEX_DIGITS >= end || buffer[at + HEX_DIGITS] !== QUOTE) return false;
  for (let place = at; place < at + HEX_DIGITS; place++) {
    const code = buffer[place] ?? 0;
    if (!isDigit(code) && !(code >= 97 && code <= 102)) return false;
  }
  return true;
}

/**
 * Whether a name contains `lock`, `mute` (as in `mutex`) or `sema`, in upper or lower case. Whether that is a separate
 * word is decided later.
 */
export function hasLockWord(buffer: Buffer, from: number, end: number): boolean {
  for (let at = from; at + 4 <= end; at++) {
    const isLock = isPair(buffer, at, L, O) && isPair(buffer, at + 2, C, K);
    const isMutex = isPair(buffer, at, M, U) && isPair(buffer, at + 2, T, E);
    if (isLock || isMutex || (isPair(buffer, at, S, E) && isPair(buffer, at + 2, M, A))) return true;
  }
  return false;
}
