import { readFileSync, writeFileSync } from 'node:fs';
import { builtScan, SCAN_MODULE, shaOfScan } from './set-up/wasm.mjs';

/*
 * Builds `server/redis/scan/assembly` (AssemblyScript) into `server/redis/scan/scan-module.ts`, unless that was built
 * from the same source. With `--check`, it is always built, and a difference from the existing module is an error.
 */

const before = readFileSync(SCAN_MODULE, 'utf8');
const isCheck = process.argv.includes('--check');
if (isCheck || !before.includes(shaOfScan())) {
  const text = await builtScan();
  if (text === undefined || (isCheck && text !== before)) process.exitCode = 1;
  else if (!isCheck) writeFileSync(SCAN_MODULE, text);
}
