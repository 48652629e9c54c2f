/** The heading of changes that are in no version yet. */
const NOT_RELEASED = 'Not released';
const HEADING = /^## (.+)$/gm;
const VERSION = /^(\d+\.\d+\.\d+(?:-[\w.]+)?) \((\d{4}-\d{2}-\d{2})\)$/;

/**
 * The newest version of a changelog, and its notes:
 *
 *   ## 0.2.0 (2026-12-24)      ─► version 0.2.0
 *   - A change.                ─► notes
 *
 * Throws, with the next step in the message:
 * - if the newest version is not `version`
 * - if its section has no date or no text
 * - if there are changes above that section, which would be released without notes
 */
export function releaseOf(changelog, version) {
  const sections = sectionsOf(changelog);
  const waiting = sections.find(({ title }) => title === NOT_RELEASED);
  if (waiting && waiting.text !== '') {
    throw new Error(
      `CHANGELOG.md has changes under "${NOT_RELEASED}". Make it the section "## ${version} (YYYY-MM-DD)".`,
    );
  }
  const [newest] = sections.filter((section) => section !== waiting);
  const [, found] = VERSION.exec(newest?.title ?? '') ?? [];
  if (found === undefined) throw new Error('The newest section of CHANGELOG.md is not "## VERSION (YYYY-MM-DD)".');
  if (found !== version) {
    throw new Error(
      `CHANGELOG.md is at ${found}, package.json at ${version}. Set it: npm version ${found} --no-git-tag-version`,
    );
  }
  if (newest.text === '')
    throw new Error(`The section of ${version} in CHANGELOG.md is empty. Write what users notice.`);
  return { version, notes: newest.text };
}

function sectionsOf(changelog) {
  const headings = [...changelog.matchAll(HEADING)];
  return headings.map(({ 0: line, 1: title, index }, place) => ({
    title: title.trim(),
    text: changelog.slice(index + line.length, headings[place + 1]?.index).trim(),
  }));
}
