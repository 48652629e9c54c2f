/** A command in the form that Redis reads. Each character of `words` is one byte. */
export function encodeCommand(words: readonly string[]): Buffer {
  const head = [`*${words.length}\r\n`];
  for (const word of words) head.push(`$${word.length}\r\n${word}\r\n`);
  return Buffer.from(head.join(''), 'latin1');
}
