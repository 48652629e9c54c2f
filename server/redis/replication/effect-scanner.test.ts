import { expect, test } from 'vitest';
import { encodeCommand } from '../connection/encode-command.ts';
import { EffectScanner } from './effect-scanner.ts';

const COMMANDS = [
  ['SELECT', '0'],
  ['MULTI'],
  ['HINCRBY', 'orders:42', '0a000000-0000-4000-8000-000000000000:1', '1'],
  ['set', 'a\r\nb', ''],
  ['EXEC'],
];
const STREAM = Buffer.concat([
  Buffer.from('\n'),
  ...COMMANDS.map((words) => Buffer.concat([encodeCommand(words), Buffer.from(words[0] === 'MULTI' ? '\n\n' : '')])),
]);
const START = 700;

/** The words and offsets of the commands that a scanner passes on for these reads. */
function scanned(...reads: Buffer[]) {
  const commands: string[][] = [];
  const offsets: number[] = [];
  let faults = 0;
  const scanner = new EffectScanner(START, {
    onCommand: (name, args, offset) => {
      commands.push([name, ...args.map((arg) => arg?.toString('latin1') ?? 'too long')]);
      offsets.push(offset);
    },
    onFault: () => faults++,
  });
  for (const read of reads) {
    const shared = Buffer.from(read);
    scanner.feed(shared);
    shared.fill(0); // the next read overwrites the memory of this one
  }
  return { commands, offsets, faults, offset: scanner.offset };
}

const WHOLE = COMMANDS.map(([name = '', ...args]) => [name.toUpperCase(), ...args]);

test('commands and their offsets are read, also with the line feeds by which a master shows that it is alive', () => {
  const { commands, offsets, faults, offset } = scanned(STREAM);
  expect(commands).toEqual(WHOLE);
  expect(offsets[0]).toBe(START + 1 + encodeCommand(['SELECT', '0']).length);
  expect(offset).toBe(START + STREAM.length);
  expect(offsets.at(-1)).toBe(offset);
  expect(faults).toBe(0);
});

test('reads that are cut at any byte give the same commands and offsets', () => {
  const whole = scanned(STREAM);
  for (let cut = 1; cut < STREAM.length; cut++) {
    expect(scanned(STREAM.subarray(0, cut), STREAM.subarray(cut))).toEqual(whole);
  }
  expect(scanned(...[...STREAM].map((byte) => Buffer.from([byte])))).toEqual(whole);
});

test('an argument that is too long is dropped, and its bytes are part of the offset', () => {
  const long = encodeCommand(['SET', 'k', 'x'.repeat(100_000), 'PX', '5']);
  const reads = [long.subarray(0, 30_000), long.subarray(30_000), encodeCommand(['DEL', 'k'])];
  const { commands, offset } = scanned(...reads);
  expect(commands).toEqual([
    ['SET', 'k', 'too long', 'PX', '5'],
    ['DEL', 'k'],
  ]);
  expect(offset).toBe(START + long.length + encodeCommand(['DEL', 'k']).length);
});

test('until a command is complete, the offset is that of the command before it', () => {
  const [first, second] = [encodeCommand(['DEL', 'a']), encodeCommand(['DEL', 'b'])];
  expect(scanned(Buffer.concat([first, second.subarray(0, 9)])).offset).toBe(START + first.length);
});

test.each(['PING\r\n', '*x\r\n', '*0\r\n', '*1\r\n+OK\r\n', `*${'1'.repeat(64)}`])(
  '%j is not a replication stream',
  (text) => {
    expect(scanned(encodeCommand(['DEL', 'a']), Buffer.from(text), encodeCommand(['DEL', 'b']))).toMatchObject({
      commands: [['DEL', 'a']],
      faults: 1,
    });
  },
);
