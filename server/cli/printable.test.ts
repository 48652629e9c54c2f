import { expect, test } from 'vitest';
import { problem } from '../../shared/wire/problems/problem.ts';
import { textFromFindings } from '../doctor/diagnose.ts';
import { plainLine } from './log.ts';
import { printable } from './printable.ts';

const HOSTILE = '\u001b[31mred\u001b]0;title\u0007\u001b[2J\u009b1m\r\n\u202egnol\u007f';
const ESCAPED = '\\x1b[31mred\\x1b]0;title\\x07\\x1b[2J\\x9b1m\\x0d\\x0a\\u202egnol\\x7f';

test('control characters are escaped; Chinese and Arabic text and emoji are not', () => {
  expect(printable(HOSTILE)).toBe(ESCAPED);
  expect(printable('锁 {a} عربي 😀 \\x1b')).toBe('锁 {a} عربي 😀 \\x1b');
});

test('the log escapes control characters in a message, its details and a stack', () => {
  const time = '2026-11-22T03:30:41.529Z';
  const err = { stack: `Error: \u001b[31m\n    at main.ts:1` };
  const line = plainLine(JSON.stringify({ time, level: 'warn', msg: HOSTILE, source: '\u001b', [HOSTILE]: 1, err }));
  expect(line).toBe(`03:30:41 warn  ${ESCAPED} (source \\x1b, ${ESCAPED} 1)\nError: \\x1b[31m\n    at main.ts:1\n`);
});

test('doctor escapes control characters in texts from a server', () => {
  const quote = problem('lost', { where: 'h:1', quote: 'ERR \u001b[31mred\u0007' });
  const nothing = { bestLevel: null, capabilities: null, levels: [], findings: [], canObserve: false };
  const server = { node: 'h:1', replicas: ['\u001b[2J:2'], slots: [], problem: quote, ...nothing };
  const findings = { url: 'redis://h:1', canObserve: false, problem: quote, servers: [server] };
  expect(textFromFindings({ ...findings, topology: 'single' })).toContain(
    'ERR \\x1b[31mred\\x07. Lockscope tries again by itself.\n',
  );
  expect(textFromFindings({ ...findings, topology: 'sentinel' })).toContain('h:1, replicas \\x1b[2J:2\n');
});
