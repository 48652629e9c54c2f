import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import { actionsOfRow, type CommandRow, NOTHING } from './commands/command-row.ts';
import { COMMANDS } from './commands/commands.ts';

/** Cache of the last line: it is interpreted, recorded and redacted, but recognised only once. */
let lastLine: LineSignal | undefined;
let lastActions = NOTHING;

/**
 * What a command outside a known lock script did to keys and channels: an operator's DEL, a user's EXPIRE, a
 * subscription. It also works for the lines of an unknown script, since they are commands like any other.
 */
export function recogniseCommand(line: LineSignal): readonly Action[] {
  if (line === lastLine) return lastActions;
  lastLine = line;
  const row = rowOf(line.words[0] ?? '');
  lastActions = row ? actionsOfRow(row, line) : NOTHING;
  return lastActions;
}

const MOST_SPELLINGS = 500;
const spellings = new Map<string, CommandRow | undefined>();

/** The row of a command, cached by its spelling. */
function rowOf(command: string): CommandRow | undefined {
  if (spellings.has(command)) return spellings.get(command);
  const row = COMMANDS.get(command.toUpperCase());
  if (spellings.size < MOST_SPELLINGS && command.length < 20) spellings.set(command, row);
  return row;
}
