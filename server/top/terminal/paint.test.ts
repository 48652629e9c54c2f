import { describe, expect, test } from 'vitest';
import { fitted, line } from '../../cli/text/line.ts';
import { painted } from './paint.ts';

const FULL = { hasColors: true, isUtf8: true };

describe('painting a line', () => {
  test('clears the row first, because after a full row the cursor is on its last character', () => {
    expect(painted(line('abc'), 3, FULL)).toBe('\u001b[3;1H\u001b[0m\u001b[Kabc');
  });

  test('uses only bold, faint and reverse if colours are off', () => {
    const parts = [{ text: 'a', look: 'bad' } as const, { text: 'b', look: 'quiet' } as const];
    expect(painted(line(...parts), 1, FULL)).toContain('\u001b[1;31ma\u001b[0m\u001b[90mb');
    expect(painted(line(...parts), 1, { ...FULL, hasColors: false })).toContain('\u001b[1ma\u001b[0m\u001b[2mb');
    expect(painted({ parts, isSelected: true }, 1, FULL)).toContain('\u001b[7ma\u001b[0m\u001b[7mb\u001b[0m');
  });

  test('moves the cursor to the right column after text that is not ASCII', () => {
    expect(painted(line('锁a', '|'), 1, FULL)).toBe('\u001b[1;1H\u001b[0m\u001b[K锁a\u001b[4G|');
  });

  test('writes ASCII text of the same width on a terminal without UTF-8', () => {
    expect(painted(line('a…b×’锁é'), 1, { ...FULL, isUtf8: false })).toBe(
      "\u001b[1;1H\u001b[0m\u001b[Ka~bx'???\u001b[9G",
    );
  });

  test('escapes text that would control the terminal', () => {
    const hostile = '\u001b[31m\u001b]0;t\u0007\u009b2J\r\n\u0000\u007f\u202e\ud800\u{e0001}';
    const output = painted(fitted(line(hostile, { text: hostile, look: 'warn' }), 500), 1, FULL);
    const rest = output.replace(/\u001b\[(?:1;1H|0m|K|33m|\d+G)/g, '');
    expect(rest).toMatch(/^[\x20-\x7e]+$/);
    expect(rest).toContain('\\x1b[31m\\x1b]0;t\\x07\\x9b2J\\x0d\\x0a\\x00\\x7f\\u202e\\ud800\\ue0001');
  });
});
