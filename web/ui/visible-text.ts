/** A part of a name: plain text, or a sign that replaces an invisible character. */
export type TextPart = { readonly text: string; readonly isSign: boolean };

// Control characters, unpaired surrogates, and invisible characters that reorder or hide the text around them.
const UNSEEN =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|^ +| +$/gu;

/** Splits a text and replaces every invisible character by a sign: `\n`, `\x00`, `U+202E`, and `␣` for outer spaces. */
export function visibleParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const found of text.matchAll(UNSEEN)) {
    if (found.index > from) parts.push({ text: text.slice(from, found.index), isSign: false });
    parts.push({ text: [...found[0]].map((sign) => signOf(sign.codePointAt(0) ?? 0)).join(''), isSign: true });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isSign: false });
  return parts;
}

/** Same as `visibleParts`, as one plain string for titles and accessible names. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => part.text)
    .join('');
}

/** Longer titles are cut. */
const LONGEST_TITLE = 2000;
/** If there is too little room, names longer than this keep their last characters visible. */
const SPLIT_FROM = 16;
const TAIL = 6;

/**
 * How a name is shown. If there is too little room, the end of `head` is hidden, and `tail` stays. `title`: the name
 * with invisible characters written out, up to 2,000 units; undefined if all of the name is always shown as it is.
 */
export type ShownName = {
  readonly head: readonly TextPart[];
  readonly tail: readonly TextPart[];
  readonly title: string | undefined;
};

/**
 * Returns how a name is shown. It is cut to `most` UTF-16 units before invisible characters are written out. With
 * `isOneLine`, the end of a name of more than 16 units is a separate part.
 */
export function shownName(text: string, most: number, { isOneLine = false } = {}): ShownName {
  const shown = cutInMiddle(text, most);
  const parts = visibleParts(shown);
  const isSplit = isOneLine && shown.length > SPLIT_FROM;
  const [head, tail] = isSplit ? splitParts(parts, TAIL) : [parts, []];
  const whole = cutInMiddle(visibleText(text.slice(0, LONGEST_TITLE * 4)), LONGEST_TITLE);
  return { head, tail, title: isSplit || shown !== text || whole !== text ? whole : undefined };
}

/**
 * Splits parts so that the tail has about the last `length` UTF-16 units. Signs and characters are never cut: the tail
 * has more units if a sign would be cut, and one less if a character of two units would be.
 */
export function splitParts(parts: readonly TextPart[], length: number): [head: TextPart[], tail: TextPart[]] {
  const head = [...parts];
  const tail: TextPart[] = [];
  let missing = length;
  while (missing > 0) {
    const part = head.pop();
    if (!part) break;
    if (part.isSign || part.text.length <= missing) {
      tail.unshift(part);
      missing -= part.text.length;
      continue;
    }
    const rest = wholeTail(part.text, missing);
    tail.unshift({ text: rest, isSign: false });
    head.push({ text: part.text.slice(0, part.text.length - rest.length), isSign: false });
    break;
  }
  return [head, tail];
}

function signOf(code: number): string {
  if (code === 0x0a) return '\\n';
  if (code === 0x0d) return '\\r';
  if (code === 0x09) return '\\t';
  if (code === 0x20) return '␣';
  if (code < 0xa0) return `\\x${code.toString(16).padStart(2, '0')}`;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Shortens a text to at most `most` UTF-16 units by replacing its middle with `…`. Never cuts a surrogate pair. */
export function cutInMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) * 0.6);
  const tail = most - 1 - head;
  return `${wholeHead(text, head)}…${wholeTail(text, tail)}`;
}

function wholeHead(text: string, length: number): string {
  return isHighSurrogate(text.charCodeAt(length - 1)) ? text.slice(0, length - 1) : text.slice(0, length);
}

function wholeTail(text: string, length: number): string {
  const from = text.length - length;
  return isHighSurrogate(text.charCodeAt(from - 1)) ? text.slice(from + 1) : text.slice(from);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
