const PLAIN = /^[ !#-[\]-~]*$/;
const NAMED: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\x07': '\\a',
  '\b': '\\b',
};
/** Words are kept in their written form, since most words are written again. */
const MOST_WORDS = 5000;
const written = new Map<string, string>();

/**
 * A line of MONITOR, as Redis writes it. `from`: the address of a client, or `lua`. Words have one character per byte.
 */
export function monitorLine(micros: number, db: number, from: string, words: readonly string[]): string {
  const rest = String(micros % 1_000_000).padStart(6, '0');
  let line = `${Math.floor(micros / 1_000_000)}.${rest} [${db} ${from}]`;
  for (const word of words) line += written.get(word) ?? write(word);
  return line;
}

function write(word: string): string {
  if (written.size > MOST_WORDS) written.clear();
  const text = ` "${PLAIN.test(word) ? word : escaped(word)}"`;
  written.set(word, text);
  return text;
}

function escaped(word: string): string {
  return word.replace(
    /[^ !#-[\]-~]/g,
    (character) => NAMED[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
