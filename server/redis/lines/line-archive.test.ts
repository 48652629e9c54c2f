import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineArchive } from './line-archive.ts';

function keep(archive: LineArchive, line: string): number | undefined {
  const buffer = Buffer.from(`+${line}\r\n`, 'latin1');
  return archive.keep(buffer, 1, buffer.length - 2);
}

const escaped = (line: string) => ({ line, isUnescaped: false });

test('lines are returned byte for byte, several from one place', () => {
  const archive = new LineArchive(1000);
  const places = ['a', '', '\xff\x00 b'].map((line) => keep(archive, line));
  expect(archive.linesFrom(places[0] ?? -1, 3)).toEqual(['a', '', '\xff\x00 b'].map(escaped));
  expect(archive.linesFrom(places[2] ?? -1, 1)).toEqual([escaped('\xff\x00 b')]);
});

test('a line longer than half of the memory is not kept', () => {
  const archive = new LineArchive(100);
  expect(keep(archive, 'x'.repeat(47))).toBeUndefined();
  expect(keep(archive, 'x'.repeat(46))).toBe(0);
});

test('a larger limit keeps the lines, a smaller one only the newest, and the places of kept lines stay valid', () => {
  const archive = new LineArchive(100);
  const lines = Array.from({ length: 12 }, (_, n) => `line ${n}`);
  const places = lines.map((line) => keep(archive, line) ?? -1);
  const shown = () => places.map((place) => archive.linesFrom(place, 1)?.[0]?.line);
  const before = shown();
  expect(before.slice(-8)).toEqual(lines.slice(-8));
  archive.setRoom(230);
  expect(shown()).toEqual(before);
  archive.setRoom(35);
  expect(shown()).toEqual([...Array(9).fill(undefined), ...lines.slice(-3)]);
  archive.setRoom(100);
  expect(shown()).toEqual([...Array(9).fill(undefined), ...lines.slice(-3)]);
});

test('after the memory limit has changed, the place of a dropped line does not return a newer line', () => {
  const archive = new LineArchive(100);
  const places = ['a', 'b', 'c'].map((line) => keep(archive, line) ?? -1);
  archive.setRoom(200);
  const newer = Array.from({ length: 40 }, (_, n) => keep(archive, `line ${n}`) ?? -1);
  for (const place of places) expect(archive.linesFrom(place, 1)).toBeUndefined();
  expect(archive.linesFrom(newer.at(-1) ?? -1, 1)).toEqual([escaped('line 39')]);
});

test('setting the same memory limit again keeps the lines', () => {
  const archive = new LineArchive(100);
  const place = keep(archive, 'a') ?? -1;
  archive.setRoom(100);
  expect(archive.linesFrom(place, 1)).toEqual([escaped('a')]);
});

test('however lines wrap, a line that is returned is unchanged', () => {
  const lengths = fc.array(fc.nat(40), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(
      lengths,
      fc.integer({ min: 90, max: 250 }),
      fc.integer({ min: 90, max: 250 }),
      (sizes, bytes, later) => {
        const archive = new LineArchive(bytes);
        const lines = sizes.map((size, n) => String.fromCharCode(65 + (n % 50)).repeat(size));
        const places = lines.map((line) => keep(archive, line) ?? -1);
        archive.setRoom(later);
        lines.forEach((line, n) => {
          const found = archive.linesFrom(places[n] ?? -1, 1);
          if (found) expect(found).toEqual([escaped(line)]);
        });
        // The newest two lines always fit.
        const from = Math.max(0, lines.length - 2);
        expect(archive.linesFrom(places[from] ?? -1, lines.length - from)).toEqual(lines.slice(from).map(escaped));
      },
    ),
  );
});
