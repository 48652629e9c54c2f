import { textOfLine } from '../../cli/text/line.ts';
import { Looker } from '../look.ts';
import { type Screen, type Size, screenOf } from '../screen/screen.ts';
import type { Sight } from '../sight.ts';
import { FIRST_VIEW, type View } from '../view.ts';
import type { StoryObservatory } from './story-observatory.ts';

const NEVER = new AbortController().signal;

/** A look at what the observatory has now. */
export function look(observatory: StoryObservatory, ask: { filter?: string; opened?: string } = {}): Promise<Sight> {
  return new Looker(observatory).look({ filter: '', most: 1000, opened: null, ...ask }, NEVER);
}

/** The screen of a sight, as the lines of text that a reader sees. */
export function textOf(sight: Sight, view: Partial<View> = {}, size: Size = { columns: 80, rows: 24 }): string[] {
  return textsOf(screenOf(sight, { ...FIRST_VIEW, ...view }, size));
}

export function textsOf({ lines }: Pick<Screen, 'lines'>): string[] {
  return lines.map((line) => textOfLine(line).trimEnd());
}
