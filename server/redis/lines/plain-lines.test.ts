import { expect, test } from 'vitest';
import { parseMonitorLine } from '../../../shared/signals/monitor-line.ts';
import { numbersFrom } from '../../../testing/stories/numbers-from.ts';
import { PlainLines } from './plain-lines.ts';

const ADDRESSES = ['127.0.0.1:5000', '[::1]:5000', 'lua', 'unix:/tmp/a "b".sock', 'unix:/tmp/a] b', ''];
const PARTS = [
  '"',
  ' ',
  '\\',
  ']',
  '[',
  '.',
  'a',
  'orders:42',
  '1',
  '\xe9',
  '" "',
  '] "',
  '\\"',
  '\\x00',
  'x'.repeat(70),
];

test('a line without escapes gives the same result from its bytes as from its text', () => {
  const random = numbersFrom(11);
  const lines = new PlainLines();
  const pick = <T>(list: readonly T[]) => list[random(list.length)] as T; // the index is below the length
  let plain = 0;
  for (let n = 0; n < 20_000; n++) {
    const words = Array.from({ length: random(4) }, () =>
      Array.from({ length: random(4) }, () => pick(PARTS)).join(''),
    );
    let line = `1795218454.${String(random(1_000_000)).padStart(6, '0')} [${random(20)} ${pick(ADDRESSES)}] ${words
      .map((word) => `"${word}"`)
      .join(' ')}`;
    if (random(4) === 0) {
      const at = random(line.length);
      line = line.slice(0, at) + pick(PARTS) + line.slice(at + random(2));
    }
    const bytes = Buffer.from(`+${line}\r\n"`, 'latin1');
    const found = lines.parse(bytes, 1, line.length + 1);
    if (!found) continue;
    plain++;
    expect({ ok: true, value: { kind: 'line', ...found } }).toEqual(parseMonitorLine(line));
  }
  expect(plain).toBeGreaterThan(1000);
});

test('lines without escapes are read from their bytes, also with an empty word or 3000 characters in one', () => {
  const lines = new PlainLines();
  for (const words of ['"GET" "a"', '"PING"', '"SET" "a" ""', `"SET" "a" "${'x'.repeat(3000)}"`]) {
    const line = `1795218454.496776 [15 127.0.0.1:49168] ${words}`;
    const found = lines.parse(Buffer.from(line, 'latin1'), 0, line.length);
    expect({ ok: true, value: { kind: 'line', ...found } }).toEqual(parseMonitorLine(line));
  }
});

test('words with the same hash are different strings', () => {
  // 31 * 'A' + 'a' = 31 * 'B' + 'B'
  const lines = new PlainLines();
  const line = '1795218454.496776 [0 127.0.0.1:1] "Aa" "BB" "Aa" "AaBB" "BBAa"';
  expect(lines.parse(Buffer.from(line), 0, line.length)?.words).toEqual(['Aa', 'BB', 'Aa', 'AaBB', 'BBAa']);
});
