import type { Words } from '../../words/words.ts';
import type { CaptionNumbers } from './several-caption.ts';

type KindWords = Words['stageKinds']['captions'];

/** The arguments of a sentence, with the measured time in ms instead of its text. */
type Measured<Taken> = Omit<Taken, 'seconds' | 'wake'> &
  (Taken extends { seconds: string } | { wake: string } ? { ms: number } : unknown);

/** A caption for one kind of lock: the key of its sentence in the catalogue, and the arguments. */
export type KindCaption = {
  [Is in keyof KindWords]: { readonly is: Is } & Readonly<Measured<Parameters<KindWords[Is]>[0]>>;
}[keyof KindWords];

/** The text of a caption, in the language of `words`. */
export function kindText(caption: KindCaption, words: Words, numbers: CaptionNumbers): string {
  const ms = 'ms' in caption ? caption.ms : 0;
  // The caption has the arguments of its own sentence, but the compiler cannot follow that through the union.
  const sentence = words.stageKinds.captions[caption.is] as (taken: object) => string;
  return sentence({ ...caption, seconds: numbers.seconds(ms), wake: numbers.wake(ms) });
}
