import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SCAN_MODULE, shaOfScan } from './wasm.mjs';

test('the scanner was built from the source that is here: `npm run build:wasm`', () => {
  expect(readFileSync(SCAN_MODULE, 'utf8')).toContain(shaOfScan());
});
