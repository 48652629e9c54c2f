import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../set-up/build.mjs';
import { npm, ROOT, runCommand, say } from '../set-up/run-command.mjs';

const TIMES = 5;
/** Further files are not run again. */
const MOST_FILES = 3;
const WITHIN_MS = 4 * 60_000;

/**
 * Runs up to three files with a failed test again, each alone, five times as it is here and five times on the commit
 * before. Returns a line for each file with what that shows. The run stays failed: a test that fails by chance has a
 * cause, too.
 *
 * `failed`: the files, with their stage. `reports`: a folder for reports.
 */
export async function runAgain(failed, reports) {
  const files = failed.slice(0, MOST_FILES);
  if (files.length === 0) return [];
  const before = await checkOutBefore();
  const lines = [];
  try {
    for (const { file, stage } of files) {
      say(`${file} failed. It runs again: ${TIMES} times here, ${TIMES} times on ${before.name}`);
      const here = await failuresOf(stage, file, reports, ROOT);
      const there =
        before.root === undefined || !existsSync(join(before.root, file))
          ? undefined
          : await failuresOf(stage, file, reports, before.root);
      lines.push(`${file}: ${meaningOf(here, there, before.name)}`);
    }
  } finally {
    before.remove();
  }
  if (failed.length > files.length) lines.push(`${failed.length - files.length} further files were not run again.`);
  return lines;
}

/**
 * What it means that a file failed `here` times of five here, and `there` times on the commit before. `there` is
 * undefined if the file could not run on that commit.
 */
export function meaningOf(here, there, before) {
  const counts =
    there === undefined
      ? `failed ${here} of ${TIMES} times alone`
      : `failed ${here} of ${TIMES} times alone, ${there} of ${TIMES} on ${before}`;
  if (there === undefined) return `${counts}. It could not run on ${before}.`;
  if (here > 0 && there === 0) return `${counts}. This change broke it.`;
  if (here > 0) return `${counts}. It failed before this change, too.`;
  return `${counts}. It fails by chance, or beside other tests: find the cause.`;
}

/** How many of five runs of one file fail. */
async function failuresOf(stage, file, reports, root) {
  let failures = 0;
  for (let i = 0; i < TIMES; i++) {
    const { failed } = await stage.run(reports, WITHIN_MS, { files: [file], root });
    if (failed > 0) failures++;
  }
  return failures;
}

/**
 * Checks out and builds the commit to compare with in a temporary folder: HEAD if there are changes, else where this
 * branch left `main`, else the commit before. `root` is undefined if that is impossible.
 */
async function checkOutBefore() {
  const commit = commitBefore();
  const name = commit === undefined ? 'an earlier commit' : commit.slice(0, 8);
  const root = join(mkdtempSync(join(tmpdir(), 'lockscope-before-')), 'checkout');
  const remove = () => {
    git('worktree', 'remove', '--force', root);
    rmSync(root, { recursive: true, force: true });
  };
  if (commit === undefined || git('worktree', 'add', '--detach', root, commit) === undefined)
    return { name, root: undefined, remove };
  const isReady = (await install(root)) && (await buildAll(root));
  return { name, root: isReady ? root : undefined, remove };
}

function commitBefore() {
  if (git('status', '--porcelain', '--untracked-files=no')) return git('rev-parse', 'HEAD');
  const head = git('rev-parse', 'HEAD');
  const base = git('merge-base', 'HEAD', 'origin/main') ?? git('merge-base', 'HEAD', 'main');
  return base === undefined || base === head ? git('rev-parse', 'HEAD^') : base;
}

/** Installs the packages of a checkout, or links those of this one if both need the same. False if that fails. */
async function install(root) {
  const lock = (dir) => readFileSync(join(dir, 'package-lock.json'), 'utf8');
  if (lock(root) !== lock(ROOT))
    return (await runCommand(npm('ci', '--include=dev'), { isQuiet: true, root })).code === 0;
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return true;
}

/** The output of git; undefined if it fails. */
function git(...words) {
  try {
    return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
