import type { DemoStarting } from '../../../shared/wire/demo.ts';
import type { Words } from '../../words/words.ts';

/** What a scenario that starts waits for. */
export function startingText({ what, done, of, image = '' }: DemoStarting, { starting }: Words): string {
  return what === 'image' ? starting.image(image) : starting[what](done, of);
}
