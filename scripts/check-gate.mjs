import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { brokenRules } from './testing/gate-rules.mjs';

/**
 * Finds what makes a live test, an attack, a test of the package or a scenario of the gate fail by chance
 * (`scripts/testing/gate-rules.mjs`). Unit tests and deep tests are not checked.
 */

const GATE = /^(?:e2e\/(?:live|attacks|package|scenarios)\/|server\/.*\.live\.)(?:.*\.)?(?:test|spec)\.ts$/;
const DEEP = /\.(?:deep|long)\.(?:test|spec)\.ts$/;

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8', maxBuffer: 1e8 })
  .split('\n')
  .filter((path) => GATE.test(path) && !DEEP.test(path) && existsSync(path));
for (const path of files) {
  for (const { line, text, why } of brokenRules(readFileSync(path, 'utf8'))) {
    console.error(`${path}:${line}: ${text}\n  ${why}`);
    process.exitCode = 1;
  }
}
