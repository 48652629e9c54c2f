import { COMMANDS } from '../../shared/events/recognise/commands/commands.ts';

/** What COMMAND replies about one command. First key 0: no key has a fixed place. */
type CommandInfo = [
  name: string,
  arity: number,
  flags: unknown,
  firstKey: number,
  lastKey: number,
  step: number,
  categories: string[],
  tips?: unknown,
  keySpecs?: unknown[],
  subcommands?: CommandInfo[],
];

/**
 * The commands that write keys, in upper case, from a reply to COMMAND. A command with a subcommand that writes is
 * included.
 */
export function writeCommandsIn(reply: unknown): string[] {
  const infos = reply as CommandInfo[]; // Redis documents this form of its reply
  return infos
    .filter(writesKeys)
    .map(([name]) => name.toUpperCase())
    .sort();
}

/** The commands without a row in the table: their effect on a lock would not be seen. */
export function withoutRow(names: readonly string[]): string[] {
  return names.filter((name) => !COMMANDS.has(name));
}

function writesKeys([, , , firstKey, , , categories, , keySpecs = [], subcommands = []]: CommandInfo): boolean {
  const hasKey = firstKey !== 0 || keySpecs.length > 0;
  return (hasKey && categories.includes('@write')) || subcommands.some(writesKeys);
}
