import type { Millis } from '../../../shared/base/time.ts';
import type { Words } from '../../words/words.ts';
import { type KindCaption, kindText } from './kind-caption.ts';
import { type CaptionNumbers, type SeveralCaption, severalText } from './several-caption.ts';

/** The caption of a beat: letters of threads, and measured times in ms. */
export type Caption =
  | { readonly is: 'taken' | 'taken-again'; readonly who: string; readonly leaseMs: number | null }
  | { readonly is: 'taken-short'; readonly who: string; readonly leaseMs: number }
  | { readonly is: 'taken-while-believed' | 'thawed-while-taken'; readonly who: string; readonly other: string }
  | { readonly is: 'mode-taken'; readonly who: string; readonly mode: 'read' | 'write' }
  | { readonly is: 'woken-by-message'; readonly who: string; readonly afterMs: number }
  | { readonly is: 'woken-by-timer'; readonly who: string }
  | { readonly is: 'entered-again'; readonly who: string; readonly count: number }
  /**
   * `after-reentry`: the watchdog keeps the pace of the first acquisition, but the re-entry has set the lease again.
   */
  | {
      readonly is: 'renewed';
      readonly who: string;
      readonly afterMs: number;
      readonly pace: 'regular' | 'after-reentry' | 'other';
    }
  | { readonly is: 'refused' | 'refused-by-gone'; readonly who: string; readonly leftMs: number | null }
  | { readonly is: 'asleep'; readonly who: string }
  | { readonly is: 'released-to-waiter' | 'released-to-nobody'; readonly who: string }
  | { readonly is: 'released-once'; readonly who: string; readonly count: number }
  | {
      readonly is: 'unlock-refused-late' | 'unlock-refused-free' | 'unlock-refused' | 'renewal-refused';
      readonly who: string;
    }
  | { readonly is: 'expired' | 'taken-away'; readonly who: string }
  | { readonly is: 'gave-up'; readonly who: string; readonly afterMs: number | null }
  | {
      readonly is: 'crashed' | 'killed' | 'killed-with-permits' | 'froze' | 'thawed' | 'started' | 'was-cut' | 'healed';
      readonly who: string;
    }
  | { readonly is: 'overdue' }
  | { readonly is: 'several'; readonly what: SeveralCaption }
  | { readonly is: 'of-kind'; readonly what: KindCaption };

/** True for a caption in which only the count changes: the user has read the sentence at the first one. */
export function isCount(caption: Caption | null): boolean {
  return caption?.is === 'several' && caption.what.is === 'crowd-asleep';
}

/** True for a sentence that the user has read before: the next caption does not wait until it is read again. */
export function isKnown(caption: Caption | null): boolean {
  return caption?.is === 'several' && caption.what.is === 'crowd-message-again';
}

/** The text of a caption, in the language of these words. */
export function captionText(caption: Caption, words: Words): string {
  const { captions } = words.stage;
  switch (caption.is) {
    case 'taken':
      return captions.taken(caption.who, caption.leaseMs === null ? null : roundText(caption.leaseMs));
    case 'taken-again':
      return captions.takenAgain(caption.who);
    case 'taken-short':
      return captions.takenShort(caption.who, roundText(caption.leaseMs));
    case 'taken-while-believed':
      return captions.takenWhileBelieved(caption.who, caption.other);
    case 'thawed-while-taken':
      return captions.thawedWhileTaken(caption.who, caption.other);
    case 'mode-taken':
      return caption.mode === 'read' ? captions.readTaken(caption.who) : captions.writeTaken(caption.who);
    case 'woken-by-message':
      return captions.wokenByMessage(caption.who, wakeText(caption.afterMs, words.time));
    case 'woken-by-timer':
      return captions.wokenByTimer(caption.who);
    case 'entered-again':
      return captions.enteredAgain(caption.who, String(caption.count));
    case 'renewed':
      return captions.renewed[caption.pace](caption.who, roundText(caption.afterMs));
    case 'refused':
      return captions.refused(caption.who, leftText(caption.leftMs));
    case 'refused-by-gone':
      return captions.refusedByGone(caption.who, leftText(caption.leftMs));
    case 'released-once':
      return captions.releasedOnce(caption.who, String(caption.count));
    case 'gave-up':
      return captions.gaveUp(caption.who, caption.afterMs === null ? null : roundText(caption.afterMs));
    case 'overdue':
      return captions.overdue;
    case 'several':
      return severalText(caption.what, words, numbersOf(words));
    case 'of-kind':
      return kindText(caption.what, words, numbersOf(words));
    default:
      return captions.plain[caption.is](caption.who);
  }
}

function numbersOf(words: Words): CaptionNumbers {
  return { seconds: roundText, wake: (ms) => wakeText(ms, words.time) };
}

/** The text of a wake-up delay: `30 µs`, `1.4 ms`, `12 ms`. */
export function wakeText(ms: Millis, words: Words['time']): string {
  if (ms < 0.095) return words.micros(String(Math.round(ms * 1000)));
  return words.millis(ms < 9.95 ? ms.toFixed(1) : String(Math.round(ms)));
}

/** Seconds with one decimal: `5.5`, `5.0`. */
function leftText(ms: Millis | null): string | null {
  return ms === null ? null : (ms / 1000).toFixed(1);
}

/** Seconds with at most one decimal: `6`, `2`, `2.3`. */
function roundText(ms: Millis): string {
  return (ms / 1000).toFixed(1).replace(/\.0$/, '');
}
