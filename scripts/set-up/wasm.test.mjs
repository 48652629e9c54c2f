import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SCAN_MODULE, shaOfScan } from './wasm.mjs';

test('the scanner module was built from its present source (if not, run `npm run build:wasm`)', () => {
  expect(readFileSync(SCAN_MODULE, 'utf8')).toContain(shaOfScan());
});
