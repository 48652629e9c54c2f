import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allFiles, changedFiles } from './changed-files.mjs';

let root;
const git = (...words) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: root });
const write = (name, text = name) => writeFileSync(join(root, name), text);
const commit = () => {
  git('add', '.');
  git('commit', '-q', '-m', 'x');
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lockscope-git-'));
  git('init', '-q', '-b', 'main');
  for (const name of ['kept.ts', 'changed.ts', 'deleted.ts', 'on main.ts']) write(name);
  write('.gitignore', 'ignored.ts\n');
  commit();
});

afterEach(() => rmSync(root, { recursive: true }));

test('files that are committed, changed, new or deleted on a branch are listed as changed', () => {
  git('checkout', '-q', '-b', 'topic');
  write('committed.ts');
  commit();
  git('checkout', '-q', 'main');
  write('on main.ts', 'changed there');
  commit();
  git('checkout', '-q', 'topic');
  write('changed.ts', 'changed here');
  rmSync(join(root, 'deleted.ts'));
  write('new file.ts');
  write('ignored.ts');
  expect(changedFiles(root).files.sort()).toEqual(['changed.ts', 'committed.ts', 'deleted.ts', 'new file.ts']);
});

test('on the main branch, files that are not pushed or not committed are listed', () => {
  expect(changedFiles(root).files).toEqual([]);
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  write('committed.ts');
  commit();
  write('kept.ts', 'changed');
  expect(changedFiles(root).files.sort()).toEqual(['committed.ts', 'kept.ts']);
});

test('without a main branch, only files that are not committed are listed', () => {
  git('branch', '-m', 'other');
  write('new.ts');
  expect(changedFiles(root).files).toEqual(['new.ts']);
});

test('the list of all files includes tracked files, and new files that git does not ignore', () => {
  write('new.ts');
  write('ignored.ts');
  expect(allFiles(root).sort()).toEqual([
    ...['.gitignore', 'changed.ts', 'deleted.ts', 'kept.ts', 'new.ts', 'on main.ts'],
  ]);
});
