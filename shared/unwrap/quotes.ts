/** Whether a text begins with a quote, in any form: a word of a MONITOR line that continues. */
export function beginsWithQuote(text: string): boolean {
  return /^\s{0,99}(?:\\{0,3}"|&quot;|[\u201c\u201d])/.test(text);
}

/**
 * Whether a line whose quotes are escaped has one that is not: a text that does not end, or does not begin, on this
 * line. (In Markdown, brackets are escaped and quotes are not.)
 */
export function hasOpenQuote(line: string): boolean {
  return /(?:^|[^\\])"/.test(line) && !/\d \\\[\d/.test(line);
}

/**
 * A line within single quotes. Python writes the bytes `b'\\xff'` with twice the backslashes, other programs do not:
 * undefined if both are possible.
 */
export function withoutRepr(line: string, prefix: string): string | undefined {
  if (!line.includes('\\')) return line;
  if (/\bb'$/.test(prefix) || line.includes("\\'"))
    return line.replace(/(?:\\r)?(?:\\n)?'[\s,)\]]{0,9}$/, '').replace(/\\(['\\])/g, '$1');
  const runs = line.match(/\\+/g) ?? [];
  return runs.every(({ length }) => length % 2 === 0) ? undefined : line;
}
