import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const NEEDED = ['.githooks', 'biome.json', 'scripts/check-words.mjs', 'scripts/words', '.gitignore'];
let root;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lockscope-hook-'));
  for (const path of NEEDED) cpSync(path, join(root, path), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  git('init', '-q');
  git('config', 'core.hooksPath', '.githooks');
  expect(commit().status).toBe(0);
});

afterAll(() => rmSync(root, { recursive: true }));

function git(...words) {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  return spawnSync('git', [...who, ...words], { cwd: root, encoding: 'utf8' });
}

function commit() {
  git('add', '.', ':!node_modules');
  return git('commit', '-q', '-m', 'x');
}

test('a file that is formatted can be committed', () => {
  writeFileSync(join(root, 'good.ts'), 'export const a = 1;\n');
  expect(commit()).toMatchObject({ status: 0 });
});

test('a file that is not formatted is refused, with the command that formats it', () => {
  writeFileSync(join(root, 'bad.ts'), 'export const b=1\n');
  const { status, stderr } = commit();
  expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('npm run format') });
  rmSync(join(root, 'bad.ts'));
});

test('a word that docs/language.md replaces is refused', () => {
  writeFileSync(join(root, 'word.ts'), '/** Nobody holds it. */\nexport const c = 1;\n');
  const { status, stderr } = commit();
  expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('docs/language.md') });
  rmSync(join(root, 'word.ts'));
});
