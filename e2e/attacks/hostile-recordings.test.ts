import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { launchLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { COLOURED_HEADER, HOSTILE_TEXT, longLine, SMALL_REFUSED, SMALL_SHOWN } from './hostile-files.ts';
import { CONTROL_CHARACTER, testUploads } from './test-uploads.ts';

/* Hostile files: each is refused in one line, or shown, and the rest of the product answers. */

function pathOf(content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-attack-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'x\u001b[31m.lockscope');
  writeFileSync(path, content);
  return path;
}

describe('lockscope open', () => {
  test.each<[string, () => string | Buffer, RegExp]>([
    ['an empty file', () => '', /This file is empty/],
    ['a line of 100 MB of spaces', longLine, /longer than 64 MB/],
    ['colours in its header', () => COLOURED_HEADER, /cannot be read/],
  ])('%s is refused with one line', async (_, content, why) => {
    const error = await launchLockscopeProcess('open', [pathOf(content())], {}).then(
      (lockscope) => lockscope.stop().then(() => 'it was opened'),
      (reason: Error) => reason.message,
    );
    expect(error).toMatch(/ended with code 1: /);
    expect(error).toMatch(why);
    expect(error.trim().split('\n')).toHaveLength(1);
    expect(error).not.toMatch(CONTROL_CHARACTER);
  });

  test('a text with prototypes and control characters is shown, and is escaped in the log', async () => {
    const lockscope = await launchLockscopeProcess('open', [pathOf(HOSTILE_TEXT)], {});
    onTestFinished(() => lockscope.stop());
    const { sources } = await lockscope.health();
    expect(sources).toHaveLength(1);
    expect(await lockscope.locks()).toBeInstanceOf(Array);
    expect(lockscope.output()).not.toMatch(CONTROL_CHARACTER);
  });
});

describe('an upload', () => {
  testUploads(SMALL_REFUSED, SMALL_SHOWN);
});
