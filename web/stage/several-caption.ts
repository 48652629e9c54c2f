import type { Words } from '../words/words.ts';

/** What is said of many threads or of several locks: who, and the numbers that were measured. */
export type SeveralCaption =
  | { readonly is: 'taken' | 'asleep' | 'released' | 'released-to-waiter'; readonly who: string; readonly lock: string }
  | { readonly is: 'refused'; readonly who: string; readonly lock: string; readonly leftMs: number | null }
  | {
      readonly is: 'local-taken' | 'local-waits' | 'local-waits-for-itself' | 'local-freed';
      readonly who: string;
      readonly lock: string;
    }
  | { readonly is: 'local-gave-up' | 'local-let-go'; readonly who: string; readonly afterMs: number }
  | { readonly is: 'circle'; readonly who: readonly string[] }
  | { readonly is: 'circle-broken'; readonly who: string; readonly afterMs: number }
  | { readonly is: 'crowd-asleep'; readonly asleep: number }
  | { readonly is: 'crowd-told'; readonly who: string; readonly listeners: number | null }
  | { readonly is: 'crowd-won'; readonly who: string; readonly afterMs: number | null }
  | { readonly is: 'crowd-lost'; readonly who: string };

/** Numbers as captions write them. */
export type CaptionNumbers = { readonly seconds: (ms: number) => string; readonly wake: (ms: number) => string };

/** Such a caption in words, in the language of these words. */
export function severalText(caption: SeveralCaption, all: Words, numbers: CaptionNumbers): string {
  const words = all.several.captions;
  switch (caption.is) {
    case 'taken':
    case 'asleep':
    case 'released':
    case 'released-to-waiter':
    case 'local-taken':
    case 'local-waits':
    case 'local-waits-for-itself':
    case 'local-freed':
      return words.named[caption.is](caption.who, caption.lock);
    case 'refused':
      return words.refused(
        caption.who,
        caption.lock,
        caption.leftMs === null ? null : (caption.leftMs / 1000).toFixed(1),
      );
    case 'local-gave-up':
    case 'local-let-go':
      return words.after[caption.is](caption.who, numbers.seconds(caption.afterMs));
    case 'circle':
      return words.circle(caption.who.join(' → '));
    case 'circle-broken':
      return words.circleBroken(caption.who, numbers.seconds(caption.afterMs));
    case 'crowd-asleep':
      return words.crowdAsleep(String(caption.asleep));
    case 'crowd-told':
      return words.crowdTold(caption.who, caption.listeners === null ? null : String(caption.listeners));
    case 'crowd-won':
      return words.crowdWon(caption.who, caption.afterMs === null ? null : numbers.wake(caption.afterMs));
    case 'crowd-lost':
      return words.crowdLost(caption.who);
  }
}
