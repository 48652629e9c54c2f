/** A command as Redis reads it; arguments hold one character per byte. */
export function encodeCommand(words: readonly string[]): Buffer {
  const head = [`*${words.length}\r\n`];
  for (const word of words) head.push(`$${word.length}\r\n${word}\r\n`);
  return Buffer.from(head.join(''), 'latin1');
}
