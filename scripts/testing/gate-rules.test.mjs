import { expect, test } from 'vitest';
import { brokenRules } from './gate-rules.mjs';

const reasons = (content) => brokenRules(content).map(({ line, why }) => `${line} ${why.split('.')[0]}`);

test.each([
  ['await pause(50);', 'A timer'],
  ['await page.waitForTimeout(50);', 'A timer'],
  ['expect(performance.now() - began).toBeLessThan(5);', 'A measured time'],
  ['expect(at).toBeGreaterThan(Date.now());', 'A measured time'],
  ['await expect(row).toBeVisible({ timeout: 90_000 });', 'A time limit'],
  ['test.setTimeout(1_000_000);', 'A timer'],
  ['const seed = Math.random();', 'A random value'],
  ["await app.acquire('a', { leaseMs: 500 });", 'A lease below 10 s that may run out by chance'],
  ["await app.command('SET', 'a', 'b', 'NX', 'PX', '3000');", 'A lease below 10 s that may run out by chance'],
  ["await app.command('PEXPIRE', 'a', '500');", 'A lease below 10 s that may run out by chance'],
])('%s breaks a rule', (line, why) => {
  expect(reasons(line)).toContain(`1 ${why}`);
});

test.each([
  "await app.acquire('a', { leaseMs: 10_000 });",
  "await app.command('PEXPIRE', 'a', '50');",
  '// await pause(50) would be wrong here',
  'const at = Date.now() * 1000;',
  'afterEach(() => redis.kill());',
])('%s is allowed', (line) => {
  expect(reasons(line)).toEqual([]);
});

test('a test that causes several faults needs a wait before each of them', () => {
  const content = [
    "test('a', async () => {",
    "  await waitFor('the lock', seen);",
    '  await redis.crash();',
    '  await redis.freeze();',
    '});',
    "test('b', async () => {",
    '  await redis.crash();',
    '});',
  ];
  const why = 'A fault before the test has waited for what it needs';
  expect(reasons(content.join('\n'))).toEqual([`4 ${why}`, `7 ${why}`]);
});
