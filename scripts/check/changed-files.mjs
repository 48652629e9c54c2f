import { execFileSync } from 'node:child_process';

/**
 * The files that differ from the main branch: changed or deleted since this branch left it, committed or not, and new
 * ones. `base` is the commit they are compared with: the one where this branch left the main branch, on the main branch
 * itself the one that was pushed last. Without a main branch or anything pushed, it is HEAD.
 */
export function changedFiles(root) {
  const git = gitIn(root);
  const base = baseOf(git);
  const changed = git('diff', '--name-only', '--no-renames', '-z', base);
  const added = git('ls-files', '--others', '--exclude-standard', '-z');
  return { base, files: [...new Set(`${changed}${added}`.split('\0'))].filter((file) => file !== '') };
}

/** Every file of the checkout that git knows, or would add. */
export function allFiles(root) {
  const listed = gitIn(root)('ls-files', '--cached', '--others', '--exclude-standard', '-z');
  return [...new Set(listed.split('\0'))].filter((file) => file !== '');
}

/** Returns a function that runs git in this folder, and returns its output. It throws if git fails. */
function gitIn(root) {
  return (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 1e8, stdio: 'pipe' });
}

function baseOf(git) {
  for (const branch of ['origin/main', 'main']) {
    try {
      return git('merge-base', 'HEAD', branch).trim();
    } catch {
      // There is no such branch.
    }
  }
  return git('rev-parse', 'HEAD').trim();
}
