import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withoutRow } from '../../../../testing/stories/write-commands.ts';
import { COMMANDS } from './commands.ts';

const FOLDER = new URL('../../../traces/commands/', import.meta.url);
/** The commands that write keys, in upper case, as each of these servers listed them in its reply to COMMAND. */
const SERVERS = readdirSync(FOLDER).map((file) => ({
  server: file.replace('.json', ''),
  names: JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as string[], // files of this repository
}));

test.each(SERVERS)('every command of $server that writes a key is in the table of commands', ({ names }) => {
  expect(names.length).toBeGreaterThan(90);
  expect(withoutRow(names)).toEqual([]);
});

test('every command about keys in the table of commands exists on one of the servers', () => {
  const known = new Set(SERVERS.flatMap(({ names }) => names));
  const rows = [...COMMANDS].filter(([, row]) => 'ignored' in row || row.keys !== 'none').map(([name]) => name);
  expect(rows.filter((name) => !known.has(name))).toEqual([]);
});

test('each command that the table ignores has a sentence that gives the reason', () => {
  const ignored = [...COMMANDS.values()].flatMap((row) => ('ignored' in row ? [row.ignored] : []));
  expect(ignored.length).toBeGreaterThan(0);
  for (const sentence of ignored) expect(sentence).toMatch(/^[A-Z][^.]{20,}\.$/);
});
