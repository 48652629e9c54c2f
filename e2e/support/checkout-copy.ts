import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What is not needed to run Lockscope, or to build it. */
const LEFT_OUT = /^(?:shared\/traces|e2e|docs|bench|examples)\//;

/**
 * A copy of this checkout, with the changes that are not committed. A test may edit its files, apart from those in
 * node_modules, which are shared with the checkout.
 */
export class CheckoutCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'lockscope-checkout-'));

  constructor() {
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
    for (const file of files.split('\n')) {
      if (file !== '' && !LEFT_OUT.test(file)) cpSync(file, join(this.folder, file), { recursive: true });
    }
    symlinkSync(join(process.cwd(), 'node_modules'), join(this.folder, 'node_modules'));
  }

  /** Replaces the first place of a text in a file. Returns a function that writes the file as it was. */
  edit(file: string, before: string, after: string): () => void {
    const path = join(this.folder, file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(before)) throw new Error(`${file} does not have ${before}`);
    writeFileSync(path, text.replace(before, after));
    return () => writeFileSync(path, text);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
