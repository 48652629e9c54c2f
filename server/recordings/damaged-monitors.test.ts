import { expect, test } from 'vitest';
import { BARE, each, LINES, printable, readIn, second } from './testing/posted-texts.ts';

/** The numbers of lines that are read, and of those that are counted as bad. */
test.each([
  ['out of order', [LINES[0], ...LINES.slice(4), ...LINES.slice(1, 4)].join('\n'), 27, 3],
  ['wrapped 80', each((l) => l.replace(/.{80}(?=.)/g, '$&\n')), 14, 34],
  ['trailing …', each((l) => (l.length > 90 ? `${l.slice(0, 90)}…` : l)), 20, 10],
  ['trailing ...', each((l) => (l.length > 90 ? `${l.slice(0, 90)}...` : l)), 20, 10],
  ['grep -C separators', [...LINES.slice(0, 4), '--', ...LINES.slice(4)].join('\n'), 30, 1],
  ['quoted-printable without the head of the mail', printable(BARE), 14, 38],
  ...[47, 49, 51, 87, 90, 112, 139, 143, 151].map((width): [string, string, unknown, unknown] => [
    `cut at ${width}`,
    each((l) => l.slice(0, width).trimEnd()),
    expect.any(Number),
    expect.any(Number),
  ]),
  [
    'cut within a character of UTF-16',
    Buffer.from(`\ufeff${LINES[0]}\n${LINES[1]}`, 'utf16le').subarray(0, 2 * (LINES[0]?.length ?? 0) + 29),
    1,
    1,
  ],
  ['cut at end', BARE.slice(0, -20), 29, 1],
  ['seconds missing in middle', each((l, n) => (n === 5 ? l.replace(/^\d+/, '') : l)), 29, 1],
  ['one line with seconds wrong digits', each((l, n) => (n === 5 ? l.replace(/\.(\d{6})/, '.$10') : l)), 29, 1],
  ['twice the text', `${BARE}\n${BARE}`, 30, 0],
  ['the text of another server behind it', `${BARE}\n${BARE.replaceAll('stock:7', 'cart:9')}`, 30, 30],
  ['cut within the first time', BARE.slice(3), 29, 1],
  ['cut within a text of json', each((l) => JSON.stringify({ message: l })).slice(60), 29, 0],
  ['a line of json that ends early', `${each((l) => JSON.stringify({ message: l })).slice(0, -6)}`, 29, 1],
  [
    'words behind a text in front on the next line',
    each((l, n) => `r-1  | ${n === 1 ? l.replace('" "', '"\n"') : l}`),
    29,
    2,
  ],
  ['escapes on the next line', each((l, n) => JSON.stringify(l).replace('\\" ', n === 4 ? '\\"\n' : '\\" ')), 29, 2],
  ['cut behind an escaped quote', `${BARE}\n${second(9, '[0 c:1] "set" "a" "{\\"b\\"')}`, 30, 1],
  ['a gap in a diff', `@@ -0,0 +1,4 @@\n${each((l, n) => `${n === 4 ? '@@ -9,0 +5,26 @@\n' : ''}+${l}`)}`, 30, 1],
  [
    'single quotes around escapes that may be of two kinds',
    `'${LINES[0]}'\n'${second(1, '[0 c:1] "get" "\\\\xff"')}'`,
    1,
    1,
  ],
  ['only one quote style mixed', each((l) => l.replaceAll('" "', '", "')), 1, 29],
])('only lines that are certain are read, and the other ones are counted: %s', async (_, text, good, bad) => {
  const [found, whole] = [await readIn(text), await readIn(BARE)];
  expect(found).toMatchObject({ lines: { length: good }, badCount: bad });
  expect(whole.lines).toEqual(expect.arrayContaining(found.lines ?? ['none']));
});
