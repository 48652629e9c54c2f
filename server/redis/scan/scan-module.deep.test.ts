import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the compiler makes the same module from the source', () => {
  expect(() => execFileSync(process.execPath, ['scripts/build-wasm.mjs', '--check'], { stdio: 'pipe' })).not.toThrow();
});
