import { expect, test } from 'vitest';
import { TextBytes } from './text-bytes.ts';

const BLOCK = 65_536;

/** The text of bytes that arrive in blocks of 64 KiB. */
function textOf(bytes: Uint8Array, decoder: TextBytes): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += BLOCK) text += decoder.add(bytes.subarray(at, at + BLOCK));
  return text + decoder.end();
}

test.each(['é', '锁', '🔒'])(
  'a line of several megabytes of %s is read unchanged, wherever a chunk ends',
  (character) => {
    for (const before of ['', 'x', 'xx', 'xxx']) {
      const line = `${before}${character.repeat(4_500_000 / Buffer.byteLength(character))}\n`;
      for (const decoder of [new TextBytes(), new TextBytes(true)]) {
        expect(textOf(Buffer.from(line), decoder) === line).toBe(true);
      }
    }
  },
);
