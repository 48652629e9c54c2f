import type { BlindRange } from '../../data/window/blind-spots.ts';
import { secondsText } from '../../ui/time-text.ts';
import type { Words } from '../../words/words.ts';

/** When a source was not watched, in a sentence. */
export function blindNote({ source, from, to }: BlindRange, words: Words['timeline']['notes']): string {
  return to === null
    ? words.blindStill(source, secondsText(from))
    : words.blind(source, secondsText(from), secondsText(to));
}
