import { binaryFromText } from '../../../shared/base/bytes-text.ts';

/** Any run of bytes. */
const STAR = 'star';
/** What one byte of a name must be: this byte, or one of the bytes marked in an array of 256. */
type Piece = typeof STAR | number | Uint8Array;

/** Reports whether names match a glob. */
type Glob = { test(name: string): boolean };

/**
 * A glob over whole names with the meaning that Redis gives it in KEYS and SCAN, byte by byte: `*`, `?`, `[abc]`,
 * `[^a]`, `[a-z]` or `[z-a]`, and `\` before a character that is meant literally.
 *
 * Clients choose the names, so a failed match must not cost more than the lengths of name and glob multiplied. For that
 * the matcher returns to the last star only:
 *
 *   glob  * a b * c d          `* a b` has matched as early as it can: a later match could not help the rest
 *   name  x a b x c x c d
 *               └ from here the last star takes one byte more at a time
 */
export function patternFromGlob(glob: string): Glob {
  const pieces = piecesOf(glob);
  return { test: (name) => isMatch(pieces, binaryFromText(name)) };
}

/** Why no name can ever match this glob; undefined if one can. */
export function problemOfGlob(glob: string): string | undefined {
  const hasEmptyBracket = piecesOf(glob).some((piece) => piece instanceof Uint8Array && !piece.includes(1));
  return hasEmptyBracket ? 'it has a "[" without characters after it; write "\\[" for a bracket' : undefined;
}

function isMatch(pieces: readonly Piece[], name: string): boolean {
  let at = 0;
  let next = 0;
  /** The piece after the last star, and where in the name it was tried last. */
  let afterStar = -1;
  let tried = 0;
  while (at < name.length) {
    const piece = pieces[next];
    if (piece === STAR) {
      afterStar = ++next;
      tried = at;
      if (afterStar === pieces.length) return true;
    } else if (piece !== undefined && isByte(piece, name.charCodeAt(at))) {
      next++;
      at++;
    } else if (afterStar !== -1) {
      next = afterStar;
      at = ++tried;
    } else {
      return false;
    }
  }
  while (pieces[next] === STAR) next++;
  return next === pieces.length;
}

function isByte(piece: number | Uint8Array, byte: number): boolean {
  return typeof piece === 'number' ? piece === byte : piece[byte] === 1;
}

function piecesOf(text: string): Piece[] {
  const glob = Buffer.from(text).toString('latin1');
  const pieces: Piece[] = [];
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at];
    if (char === '*') {
      if (pieces.at(-1) !== STAR) pieces.push(STAR);
    } else if (char === '?') {
      pieces.push(new Uint8Array(256).fill(1));
    } else if (char === '[') {
      const { bytes, end } = classFrom(glob, at + 1);
      pieces.push(bytes);
      at = end;
    } else {
      if (char === '\\' && at + 1 < glob.length) at++;
      pieces.push(glob.charCodeAt(at));
    }
  }
  return pieces;
}

/**
 * The bytes of a class whose text begins at `from`, and its last place. Redis closes an open class at the glob's end.
 */
function classFrom(glob: string, from: number): { bytes: Uint8Array; end: number } {
  const isNot = glob[from] === '^';
  const bytes = new Uint8Array(256);
  let at = isNot ? from + 1 : from;
  for (; at < glob.length; at++) {
    if (glob[at] === '\\' && at + 1 < glob.length) {
      bytes[glob.charCodeAt(++at)] = 1;
    } else if (glob[at] === ']') {
      break;
    } else if (glob[at + 1] === '-' && at + 2 < glob.length) {
      const ends = [glob.charCodeAt(at), glob.charCodeAt(at + 2)];
      bytes.fill(1, Math.min(...ends), Math.max(...ends) + 1);
      at += 2;
    } else {
      bytes[glob.charCodeAt(at)] = 1;
    }
  }
  return { bytes: isNot ? bytes.map((bit) => 1 - bit) : bytes, end: at };
}
