import { expect, test } from 'vitest';
import { codeOf, importsOf, sourceFiles } from '../../../testing/house/imports-of.ts';

const FOLDERS = [
  ...['server/watch', 'server/redis/stream', 'server/redis/reads', 'server/redis/rights', 'server/redis/topology'],
  ...['server/redis/lines', 'server/redis/levels', 'server/redis/replication'],
  'server/demo/client',
];
const FILES = ['server/redis/connection/own-time.ts', 'server/redis/connection/in-time.ts'];
/** Uses of time, timers and random numbers that bypass `surroundings.ts`. */
const GLOBALS = [
  /\b(?:performance|Date)\s*\.\s*\w+|\bnew Date\b/g,
  /\b(?:set|clear)(?:Timeout|Interval|Immediate)\b|\bqueueMicrotask\b/g,
  /\bprocess\s*\.\s*(?:nextTick|hrtime|uptime)\b|\bAbortSignal\s*\.\s*timeout\b/g,
  /\bMath\s*\.\s*random\b|\bgetRandomValues\b/g,
];
const MODULES = new Set(['node:net', 'node:tls', 'node:timers', 'node:timers/promises', 'node:perf_hooks']);

test('code that watches Redis takes time, timers, chance and sockets from its surroundings only', () => {
  const files = [...FOLDERS.flatMap((folder) => sourceFiles('.', folder)), ...FILES].filter(isProduct);
  expect(files.length).toBeGreaterThan(150);
  const direct = files.flatMap((file) => {
    const code = codeOf('.', file);
    const globals = GLOBALS.flatMap((global) => [...code.matchAll(global)].map(([found]) => found));
    const modules = importsOf(file, code).flatMap(({ to }) => (MODULES.has(to) ? [to] : []));
    return [...globals, ...modules].map((found) => `${file}: ${found}`);
  });
  expect(direct).toEqual([]);
});

function isProduct(file: string): boolean {
  return !/\.test\.ts$|\/testing\//.test(file);
}
