/**
 * A word in quotes, as JSON writes it, or a string as Java or PHP serializes it: two bytes, or a number, are its
 * length.
 */
const WRAPPED = /^"([^"\\]*)"$|^\\xac\\xed\0\x05t..(.*)$|^s:\d{1,3}:"(.*)";$/s;

/**
 * The word that an application wrote, without what its serializer added: Spring's templates use one serializer for all
 * values.
 */
export function bareWord(value: string): string {
  const [, quoted, java, php] = WRAPPED.exec(value) ?? [];
  return quoted ?? java ?? php ?? value;
}

/** Whether a value is more than one word, for example JSON: no library has such a token. */
export function isData(value: string): boolean {
  return !/^[\w+/=:@.-]{1,120}$/.test(bareWord(value));
}

const SHORTEST_PART = 4;

/**
 * Whether a value is data that has this word in it, for example the owner in `{"owner":"web-1","at":1795}`. A word of
 * fewer than 4 characters does not count.
 */
export function isDataWith(value: string, word: string): boolean {
  if (word.length < SHORTEST_PART) return false;
  for (let at = value.indexOf(word); at >= 0; at = value.indexOf(word, at + 1)) {
    const [before = '"', after = '"'] = [value[at - 1], value[at + word.length]];
    if (!WORD_PART.test(before) && !WORD_PART.test(after)) return isData(value);
  }
  return false;
}

const WORD_PART = /[\w.-]/;
