import type { Found } from '../data/queries/insights.ts';
import { durationText } from '../ui/time-text.ts';
import { cutInMiddle, visibleText } from '../ui/visible-text.ts';
import type { Words } from '../words/words.ts';
import type { LongestWait, Waits } from './waits.ts';

/** A longer name is cut in its middle. */
const LONGEST_NAME = 60;

/** What the headline depends on while no problem is open. */
export type Quiet = Pick<Found, 'cannotTell' | 'failed' | 'kinds'> & {
  readonly isPast: boolean;
  /** Whether level monitor would show more. */
  readonly isMoreVisible: boolean;
  /** Null: not known, for example at a past instant. */
  readonly waits: Waits | null;
  /** Whether locks may be missing. */
  readonly isPart: boolean;
};

/** Only these checks explain a wait. */
const OF_WAITS: ReadonlySet<string> = new Set(['orphaned', 'stuck']);
/** If one of these checks could not run, the page does not claim that nothing is wrong. */
const ESSENTIAL: ReadonlySet<string> = new Set(['lost', ...OF_WAITS]);

/**
 * Returns the first sentence while no problem is known. "Nothing is wrong" only if every essential check ran, and no
 * wait or possible wait lasts longer than a lease. Otherwise it names what waits, and what cannot be seen.
 */
export function headlineOf(quiet: Quiet, texts: Words['verdicts']): string {
  const { failed, kinds, isPast, isMoreVisible, waits } = quiet;
  // that locks may be missing is reported for all problems together
  const cannotTell = quiet.cannotTell.filter(({ reason }) => reason !== 'locks');
  const isPart = quiet.isPart || cannotTell.length < quiet.cannotTell.length;
  const unseen = new Set(cannotTell.map(({ incident }) => incident));
  if (unseen.size >= kinds) return isPast ? texts.unknownThen : texts.unknown;
  const isBlind = failed.length > 0 || cannotTell.some(({ effect }) => ESSENTIAL.has(effect));
  const checks = unseen.size + failed.length;
  if (isBlind && isPast) return texts.unseenThen(checks, kinds);
  if (isBlind) {
    const why = isMoreVisible ? texts.needMonitor(checks, kinds) : texts.notPossible(checks, kinds);
    const isWaitUnexplained = failed.length > 0 || cannotTell.some(({ effect }) => OF_WAITS.has(effect));
    if (waits && waits.locks > 0 && isWaitUnexplained) return texts.waitedFor(waits.locks, why);
    return waits?.longest ? texts.longWaitUnseen(waitText(waits, waits.longest, texts), why) : texts.noneVisible(why);
  }
  if (waits?.longest) return waitText(waits, waits.longest, texts);
  if (waits?.asked) return texts.askedLong(waits.asked.locks, durationText(waits.asked.ms));
  if (isPast) return isPart ? texts.nothingThenSeen : texts.nothingThen;
  return isPart ? texts.nothingSoFar : texts.nothing;
}

function waitText(waits: Waits, longest: LongestWait, texts: Words['verdicts']): string {
  const { ms, isAtLeast, latch } = longest;
  const length = durationText(ms);
  return latch
    ? texts.longLatchWait(length, isAtLeast, visibleText(cutInMiddle(latch.name, LONGEST_NAME)), latch.count)
    : texts.longWait(waits.locks, length, isAtLeast);
}
