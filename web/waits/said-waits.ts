import type { WaitsBody, WaitsPart } from '../../shared/wire/waits.ts';
import { durationText } from '../ui/time-text.ts';
import { cutInMiddle, visibleText } from '../ui/visible-text.ts';
import type { Words } from '../words/words.ts';

type HolderName = (holder: string) => string;

const LONGEST = 40;

/** A part in words: `held by order-svc-1:7 (orders:42)`. The lock is left out if it is `ownLock`. */
export function partText(part: WaitsPart, nameOf: HolderName, words: Words['waits'], ownLock?: string): string {
  const { cause, holder, lock } = part;
  const who = holder === undefined ? null : nameOf(holder);
  return words.part[cause](who, lock === undefined || lock === ownLock ? null : shown(lock));
}

/** What most of the waiting was spent on; null without any wait. */
export function mostText({ waitedMs, parts }: WaitsBody['total'], nameOf: HolderName, { waits }: Words): string | null {
  const [first] = parts;
  if (!first) return null;
  const { cause, holder, lock, ms } = first;
  const who = holder === undefined ? null : nameOf(holder);
  return waits.most[cause](who, lock === undefined ? null : shown(lock), durationText(ms), percentText(ms / waitedMs));
}

/** The hold that cost others most, in a sentence; null if no hold did. */
export function costliestText([first]: WaitsBody['holds'], nameOf: HolderName, { waits }: Words): string | null {
  if (!first) return null;
  return waits.costliest(nameOf(first.holder), shown(first.lock), first.waiters, durationText(first.causedMs));
}

function shown(lock: string): string {
  return cutInMiddle(visibleText(lock), LONGEST);
}

/** `75 %`, and `< 1 %` for a share that is not zero. */
function percentText(share: number): string {
  const percent = Math.round(share * 100);
  return percent === 0 && share > 0 ? '< 1 %' : `${percent} %`;
}
