import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, runStep } from './run-command.mjs';

const SCAN_FOLDER = join(ROOT, 'server/redis/scan');
const SOURCE = join(SCAN_FOLDER, 'assembly/skip-lines.ts');
/** 21 pages of 64 KB: `server/redis/scan/README.md` has a drawing of them. */
const PAGES = '21';
const MEMORY = ['--initialMemory', PAGES, '--maximumMemory', PAGES];
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', ...MEMORY];
const COMPILER = join(ROOT, 'node_modules/assemblyscript/bin/asc.js');

/**
 * The source file that contains the built module as text. So builds need no step for the module, and the program does
 * not read a file.
 */
export const SCAN_MODULE = join(SCAN_FOLDER, 'scan-module.ts');

/** The SHA-256 of the source and of how it is built. */
export function shaOfScan() {
  return createHash('sha256').update(readFileSync(SOURCE)).update(OPTIONS.join(' ')).digest('hex');
}

/** Compiles the source and returns the text of the module; `undefined` if that fails. */
export async function builtScan() {
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-wasm-'));
  try {
    const output = join(folder, 'scan.wasm');
    const isBuilt = await runStep('building the scanner', [
      process.execPath,
      COMPILER,
      SOURCE,
      '-o',
      output,
      ...OPTIONS,
    ]);
    return isBuilt ? textOf(readFileSync(output).toString('base64')) : undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function textOf(base64) {
  const rows = base64.match(/.{1,110}/g).map((row) => `  '${row}',`);
  return `/* Written by \`npm run build:wasm\`. */

/** The SHA-256 of the source and of how it is built. */
export const SCAN_SOURCE = '${shaOfScan()}';

/** The WebAssembly module, in base64. */
export const SCAN_MODULE = [
${rows.join('\n')}
].join('');
`;
}
