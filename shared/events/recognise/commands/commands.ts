import { COLLECTION_COMMANDS } from './collection-commands.ts';
import type { CommandRow, Keys } from './command-row.ts';
import { HASH_COMMANDS } from './hash-commands.ts';
import { KEY_COMMANDS } from './key-commands.ts';
import { SERVER_COMMANDS } from './server-commands.ts';
import { STRING_COMMANDS } from './string-commands.ts';

/** Every command that writes keys, and other commands that matter to locks, by name in upper case. */
export const COMMANDS: ReadonlyMap<string, CommandRow> = new Map(
  Object.entries({
    ...STRING_COMMANDS,
    ...KEY_COMMANDS,
    ...HASH_COMMANDS,
    ...COLLECTION_COMMANDS,
    ...SERVER_COMMANDS,
  }),
);

/** The commands whose line matters if one of their keys is a lock. */
export function commandsByKeys(keys: Exclude<Keys, 'none'>): string[] {
  return [...COMMANDS].flatMap(([name, row]) => ('keys' in row && row.keys === keys ? [name] : []));
}
