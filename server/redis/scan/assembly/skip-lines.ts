/*
 * AssemblyScript, built into `../scan-module.ts` by `npm run build:wasm`. `../README.md` has a drawing of the memory.
 *
 * Every decision is the one of `../../lines/line-filter.ts`, or "this line may matter": then that file decides.
 */

/** Places of the memory. The same numbers are in `../line-skipper.ts`. */
const RULES: usize = 0;
const NEAR: usize = 0x2000;
const KNOWN: usize = 0x10000;
const FOUND: usize = 0x110000;

const KNOWN_MASK: u32 = (1 << 23) - 1;
const NEAR_MASK: u32 = (1 << 16) - 1;
const RULES_MASK: u32 = 4095;

/** Bits of a rule, as in `line-filter.ts`. */
const BY_KEY: u32 = 2;
const BY_ANY_KEY: u32 = 4;
const GIVES_HOLD: u32 = 16;
const AS_TRY: u32 = 32;
const IF_LATCH: u32 = 128;
const IF_NAMED: u32 = 256;
/** Rules that are looked at here. A command with any other one may matter. */
const HERE: u32 = BY_KEY | BY_ANY_KEY | GIVES_HOLD | AS_TRY | IF_LATCH | IF_NAMED;

const LF: u32 = 10;
const QUOTE: u32 = 34;
const PLUS: u32 = 43;
const DASH: u32 = 45;
const COLON: u32 = 58;
const BACKSLASH: u32 = 92;
/** Some bytes as one number, the first byte in the lowest bits. */
const CLOSE_SPACE: u16 = 0x205d;
const SPACE_LUA: u32 = 0x61756c20;
const REDI: u32 = 0x69646572;
const LOCK: u32 = 0x4b434f4c;
const MUTE: u32 = 0x4554554d;
const SEMA: u32 = 0x414d4553;
/** A letter in upper case, or the same in lower case, after this mask. */
const ANY_CASE: u32 = 0xdfdfdfdf;

/** `+1795218454.` */
const SECOND: usize = 12;
/** A line, from its plus, has no quote before this place. */
const SHORTEST_HEAD: usize = 21;
/** In front of a quote that ends a head are at least ` lua] `. */
const SPACE_LUA_AT: usize = 6;
/** From the quote after one word to the first byte of the next. */
const NEXT_WORD: usize = 3;
/** The options of a SET with NX, at the end of the line, are not longer. */
const OPTIONS: usize = 112;

/** The hash of the last word that `wordEnd` read. */
let hash: u32 = 0;

/**
 * Skips lines of clients that cannot matter. Stops at the first other line, at the first one of another second than the line
 * at `previous`, and at anything but a whole line. Returns the place where it stops. How many lines were skipped and where
 * the last one begins is written to FOUND.
 */
export function skip(previous: usize, from: usize, to: usize): usize {
  let at = from;
  let count: u32 = 0;
  let last: usize = previous;
  while (at < to && isSameSecond(previous, at)) {
    const end = find(at + SECOND, to, LF);
    if (end >= to) break;
    const quote = wordsAt(at + SHORTEST_HEAD, end);
    if (quote >= end || mayMatter(quote, end - 1)) break;
    count++;
    last = at;
    at = end + 1;
  }
  store<u32>(FOUND, count);
  store<u32>(FOUND, <u32>last, 4);
  return at;
}

/** Whether two lines begin with the same plus, ten digits and dot. */
function isSameSecond(previous: usize, at: usize): bool {
  const isSame = load<u64>(previous) === load<u64>(at) && load<u32>(previous, 8) === load<u32>(at, 8);
  return isSame && load<u8>(at) === PLUS;
}

function wordsAt(from: usize, to: usize): usize {
  let quote = find(from, to, QUOTE);
  while (quote < to && load<u16>(quote - 2) !== CLOSE_SPACE) quote = find(quote + 1, to, QUOTE);
  return quote;
}

/** `end`: before CR LF. */
function mayMatter(quote: usize, end: usize): bool {
  if (load<u32>(quote - SPACE_LUA_AT) === SPACE_LUA) return true;
  let name: u32 = 0;
  let at = quote + 1;
  for (let code: u32 = load<u8>(at); code !== QUOTE && at < end; code = load<u8>(++at))
    name = name * 31 + (code & 0xdf);
  const rule: u32 = load<u16>(RULES + ((name & RULES_MASK) << 1));
  if (rule === 0) return false;
  if ((rule & ~HERE) !== 0) return true;
  const argument = at + NEXT_WORD;
  if ((rule & IF_LATCH) !== 0 && load<u32>(argument) === REDI) return true;
  if ((rule & AS_TRY) !== 0 && hasNx(argument, end)) return true;
  if ((rule & (BY_KEY | IF_NAMED)) === 0) return false;
  const keyEnd = wordEnd(argument, end);
  if ((rule & BY_KEY) !== 0) {
    if (isKnown()) return true;
    if ((rule & GIVES_HOLD) !== 0 && isHolder(keyEnd + NEXT_WORD, end)) return true;
  }
  if ((rule & IF_NAMED) !== 0 && saysLock(argument, keyEnd)) return true;
  return (rule & BY_ANY_KEY) !== 0 && hasKnownKey(keyEnd + NEXT_WORD, end);
}

/** Reads a word up to its closing quote, sets `hash`, and returns the place of the quote. */
function wordEnd(from: usize, end: usize): usize {
  let sum: u32 = 0;
  let at = from;
  while (at < end) {
    const code: u32 = load<u8>(at);
    if (code === QUOTE) break;
    sum = sum * 31 + code;
    if (code === BACKSLASH) sum = sum * 31 + <u32>load<u8>(++at);
    at++;
  }
  hash = sum;
  return min(at, end);
}

function hasKnownKey(from: usize, end: usize): bool {
  let at = from;
  while (at < end) {
    at = wordEnd(at, end) + NEXT_WORD;
    if (isKnown()) return true;
  }
  return false;
}

function isKnown(): bool {
  return isSet(NEAR, hash & NEAR_MASK) && isSet(KNOWN, hash & KNOWN_MASK);
}

function isSet(bits: usize, bit: u32): bool {
  return (load<u8>(bits + (bit >> 3)) & (1 << (bit & 7))) !== 0;
}

/** Whether a word begins as `uuid:thread` does. */
function isHolder(at: usize, end: usize): bool {
  if (at + 37 >= end || load<u8>(at, 36) !== COLON) return false;
  return (
    load<u8>(at, 8) === DASH && load<u8>(at, 13) === DASH && load<u8>(at, 18) === DASH && load<u8>(at, 23) === DASH
  );
}

function saysLock(from: usize, end: usize): bool {
  for (let at = from; at + 4 <= end; at++) {
    const letters = load<u32>(at) & ANY_CASE;
    if (letters === LOCK || letters === MUTE || letters === SEMA) return true;
  }
  return false;
}

/** Whether the options of a SET contain `NX`, in upper or lower case. */
function hasNx(from: usize, end: usize): bool {
  const anyCase = i8x16.splat(<i8>0xdf);
  const n = i8x16.splat(78);
  const x = i8x16.splat(88);
  for (let at = max(from, end - OPTIONS); at < end; at += 16) {
    const isN = i8x16.eq(v128.and(v128.load(at), anyCase), n);
    const isX = i8x16.eq(v128.and(v128.load(at, 1), anyCase), x);
    if (v128.any_true(v128.and(isN, isX))) return true;
  }
  return false;
}

/** The first place of a byte from `from` on, 16 bytes at a time. At least `to` if it is not before it. */
function find(from: usize, to: usize, byte: u32): usize {
  const wanted = i8x16.splat(<i8>byte);
  for (let at = from; at < to; at += 16) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), wanted));
    if (found !== 0) return at + <usize>ctz(found);
  }
  return to;
}
