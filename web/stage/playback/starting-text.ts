import type { DemoStarting } from '../../../shared/wire/demo.ts';
import type { Words } from '../../words/words.ts';

/** The text of what a starting scenario waits for. */
export function startingText({ what, done, of, image = '' }: DemoStarting, { starting }: Words): string {
  return what === 'image' ? starting.image(image) : starting[what](done, of);
}
