import { binaryFromText } from '../../../../shared/base/bytes-text.ts';

/** The words of a command as a client library sends them, with one character per byte. */
export function binaryWords(command: string, args: readonly (string | number | Buffer)[]): string[] {
  const words = [command];
  for (const arg of args) words.push(typeof arg === 'object' ? arg.toString('latin1') : binaryFromText(String(arg)));
  return words;
}
