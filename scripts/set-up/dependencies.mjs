import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm, ROOT, runStep } from './run-command.mjs';

/** Runs `npm ci` unless the packages of package-lock.json are installed. False if that fails. */
export async function installDependencies() {
  if (areInstalled(ROOT)) return true;
  return runStep('installing dependencies', npm('ci', '--include=dev', '--no-progress'));
}

/** True if every package of the lock file is installed in its version. Optional packages are not checked. */
export function areInstalled(root) {
  const installedFile = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = packagesOf(installedFile);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
}
