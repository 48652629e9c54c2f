/**
 * Names of up to 1,000 characters that a reader can check in a shell and in a Java string: printable ASCII, and
 * characters of seven writing systems that run from left to right.
 */
const PLAIN =
  /^[\x20-\x7e\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{1,1000}$/u;

/** Whether a command may contain this name. */
export function isPlainName(name: string): boolean {
  return PLAIN.test(name);
}

/** A name that a sentence may contain; null: it is not plain text. */
export function plainName(name: string): string | null {
  return isPlainName(name) ? name : null;
}
