import type { Words } from '../../words/words.ts';
import type { CaptionNumbers } from './several-caption.ts';

type KindWords = Words['stageKinds']['captions'];

/** What a sentence takes, its measured time still a number: the catalogue decides how that is written. */
type Measured<Taken> = Omit<Taken, 'seconds' | 'wake'> &
  (Taken extends { seconds: string } | { wake: string } ? { ms: number } : unknown);

/** What is said of one kind of lock: which sentence of the catalogue, and everything it takes. */
export type KindCaption = {
  [Is in keyof KindWords]: { readonly is: Is } & Readonly<Measured<Parameters<KindWords[Is]>[0]>>;
}[keyof KindWords];

/** Such a caption in words, in the language of these words. */
export function kindText(caption: KindCaption, words: Words, numbers: CaptionNumbers): string {
  const ms = 'ms' in caption ? caption.ms : 0;
  // The sentence and what it takes stand together in the caption, which the compiler cannot follow through the union.
  const sentence = words.stageKinds.captions[caption.is] as (taken: object) => string;
  return sentence({ ...caption, seconds: numbers.seconds(ms), wake: numbers.wake(ms) });
}
