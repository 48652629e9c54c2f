import { COMMANDS } from '../../shared/events/recognise/commands/commands.ts';
import type { LineSignal } from '../../shared/signals/signal.ts';
import { isScriptHead } from '../../shared/signals/step.ts';

/** Marks that people write in place of text that they leave out. */
const MARK = String.raw`(?:\.{3,}|\[\.{3,}\])`;
/** A mark behind a word, not in quotes as each word of MONITOR is. */
const BETWEEN_WORDS = new RegExp(String.raw`[^\\]"\s+${MARK}(?:\s|$)`);
const ANY = new RegExp(MARK);
/** A name, an id or a number that was shortened. Other texts may have such a mark themselves. */
const NAME = new RegExp(String.raw`^[\w:.@{}#-]{0,200}${MARK}[\w:.@{}#-]{0,200}$`);

const CHANNELS = /^(?:S|P)?(?:UN)?SUBSCRIBE$|^S?PUBLISH$/i;

/** Whether words of a line were left out, or parts of words that are no longer quoted correctly. */
export function hasGaps(text: string, isReadable: boolean): boolean {
  return BETWEEN_WORDS.test(text) || (!isReadable && ANY.test(text));
}

/** Whether a name that matters to locks was shortened. The text of a script may be: what it runs shows what it does. */
export function hasShortNames(line: LineSignal): boolean {
  return namesIn(line).some((word) => word.length < 500 && NAME.test(word));
}

/** The words of a line that are names, as far as they matter to locks. */
function namesIn(line: LineSignal): readonly string[] {
  const { words, client } = line;
  const [command = ''] = words;
  if (client === null) return words;
  if (isScriptHead(line)) return words.slice(2);
  if (CHANNELS.test(command)) return words.slice(1, 2);
  const row = COMMANDS.get(command.toUpperCase());
  if (!row || !('keys' in row)) return [];
  if (row.keys === 'any') return words.slice(1);
  return words.slice(1, words.some((word) => /^nx$/i.test(word)) ? 3 : 2);
}
