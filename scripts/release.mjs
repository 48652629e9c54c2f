import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseOf } from './release/release-of.mjs';
import { ROOT, say } from './set-up/run-command.mjs';

/*
 * `node scripts/release.mjs NOTES`: writes the notes of this version, from CHANGELOG.md, into the file NOTES, and
 * prints the version. On GitHub, the version is an output of the step. If a release cannot be made, exits with 1 and
 * prints what to do next.
 */

const [notesFile] = process.argv.slice(2);
const { version: packed } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
try {
  const { version, notes } = releaseOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), packed);
  if (notesFile !== undefined) writeFileSync(notesFile, `${notes}\n`);
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `version=${version}\n`);
  process.stdout.write(`${version}\n`);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
