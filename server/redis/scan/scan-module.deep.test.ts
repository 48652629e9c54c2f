import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the compiler makes the module of scan-module.ts from its source', () => {
  expect(() => execFileSync(process.execPath, ['scripts/build-wasm.mjs', '--check'], { stdio: 'pipe' })).not.toThrow();
});
