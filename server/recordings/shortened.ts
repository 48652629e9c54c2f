import { COMMANDS } from '../../shared/events/recognise/commands/commands.ts';
import type { LineSignal } from '../../shared/signals/signal.ts';
import { isScriptHead } from '../../shared/signals/step.ts';

/** Marks that people write in place of text that they leave out. */
const MARK = String.raw`(?:\.{3,}|\[\.{3,}\])`;
/** A mark after a word. The mark has no quotes, although MONITOR puts every word in quotes. */
const BETWEEN_WORDS = new RegExp(String.raw`[^\\]"\s+${MARK}(?:\s|$)`);
const ANY = new RegExp(MARK);
/** A shortened name, id or number. Any other text may contain `...` itself. */
const NAME = new RegExp(String.raw`^[\w:.@{}#-]{0,200}${MARK}[\w:.@{}#-]{0,200}$`);

const CHANNELS = /^(?:S|P)?(?:UN)?SUBSCRIBE$|^S?PUBLISH$/i;

/** Whether words of a line were left out, or parts of words that are no longer quoted correctly. */
export function hasGaps(text: string, isReadable: boolean): boolean {
  return BETWEEN_WORDS.test(text) || (!isReadable && ANY.test(text));
}

/**
 * Whether a name that matters to locks was shortened. The text of a script does not matter: the commands that it runs
 * show what it does.
 */
export function hasShortNames(line: LineSignal): boolean {
  return namesIn(line).some((word) => word.length < 500 && NAME.test(word));
}

/** The words of a line that are names and matter to locks. */
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

/**
 * Finds the width at which all lines of a text were cut, as by `cut -c1-120` or the window of a terminal. A line of
 * that width may have lost its last words, although all of its quotes are closed; a blank at its end may have been
 * removed.
 *
 *   1795000000.000111 [0 lua] "hincrby" "stock:7"            cut behind a word: the holder is missing
 *   1795000000.800037 [0 10.0.0.12:40002] "EVALS             cut within a word: this shows the width
 */
export class CutWidth {
  #most = 0;
  #hasUnreadable = false;

  /** Takes the width of each line. */
  note(width: number, isReadable: boolean): void {
    if (width > this.#most) this.#hasUnreadable = false;
    this.#most = Math.max(this.#most, width);
    if (width === this.#most && !isReadable) this.#hasUnreadable = true;
  }

  isCut(width: number): boolean {
    return this.#hasUnreadable && width >= this.#most - 1;
  }
}
