import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { releaseOf } from './release-of.mjs';

const HEAD = '# Changes\n\nWhat users notice.\n\n';
const OLD = '## 0.1.0 (2026-12-01)\n\n- The first version.\n';
const NEW = '## 0.2.0-rc.1 (2026-12-24)\n\n- A change\n  of two lines.\n- Another.\n\n';

test('the version and its notes come from the newest section of the changelog', () => {
  const notes = '- A change\n  of two lines.\n- Another.';
  expect(releaseOf(HEAD + NEW + OLD, '0.2.0-rc.1')).toEqual({ version: '0.2.0-rc.1', notes });
  expect(releaseOf(`${HEAD}## Not released\n\n${NEW}${OLD}`, '0.2.0-rc.1').notes).toBe(notes);
  expect(releaseOf(HEAD + OLD, '0.1.0').notes).toBe('- The first version.');
});

test.each([
  [
    'changes that are in no version',
    `${HEAD}## Not released\n\n- New.\n\n${OLD}`,
    '0.1.0',
    'Make it the section "## 0.1.0',
  ],
  ['a version that package.json does not have', HEAD + NEW + OLD, '0.1.0', 'npm version 0.2.0-rc.1'],
  ['a section without notes', `${HEAD}## 0.2.0 (2026-12-24)\n\n${OLD}`, '0.2.0', 'is empty'],
  ['a section without a date', `${HEAD}## 0.2.0\n\n- New.\n`, '0.2.0', '## VERSION (YYYY-MM-DD)'],
  ['a changelog without a section', HEAD, '0.1.0', '## VERSION (YYYY-MM-DD)'],
])('%s is refused, and the message names the next step', (_, changelog, version, text) => {
  expect(() => releaseOf(changelog, version)).toThrow(text);
});

test('the changelog of this checkout can be released, once its changes have a version', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8').replace('## Not released', '## 9.9.9 (2026-12-24)');
  expect(releaseOf(changelog, '9.9.9').notes).toMatch(/^- /);
});
