import type { CostsBy } from '../../shared/spans/rank-waits.ts';
import type { WaitsBody, WaitsPart } from '../../shared/wire/waits.ts';
import type { ShownCosts, ShownWaits } from '../data/queries/waits.ts';
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

/** If memory lacks less than this of the range, the page does not mention it. */
const SMALL_MICROS = 1_000_000;

type Answered = Pick<ShownWaits, 'from' | 'to' | 'askedFrom' | 'isCut' | 'unseen'>;

/** Whether memory does not go back to the beginning of the range. */
export function isLater({ isCut, from, askedFrom }: Answered): boolean {
  return !isCut && askedFrom !== null && from - askedFrom > SMALL_MICROS;
}

/**
 * The title of the page if no wait is known. If a source was unseen for the whole range, threads may have waited, so the
 * title reports that waits are unknown.
 */
export function noWaitsText(
  { unseen, from, to }: Pick<Answered, 'unseen' | 'from' | 'to'>,
  words: Words['waits'],
): string {
  return unseen.some(({ ms }) => ms * 1000 >= to - from) ? words.unknown : words.noneSeen;
}

/** What the reader has to know about costs of hours or days. Sums of hours contain only the costliest holds of each. */
export function costNotes(by: CostsBy, readFrom: ShownCosts['readFrom'], { long }: Words['waits']): string {
  const isHold = by === 'hold';
  const ofHours = readFrom === 'hours' ? [long.hours, ...(isHold ? [long.costliest] : [])] : [];
  return [...ofHours, ...(isHold ? [] : [long.deadlocks])].join(' ');
}

/** The sentence if nothing is listed. Threads may have waited although no hold is charged, for example in a deadlock. */
export function noCosts(by: CostsBy, { long, noneSeen }: Words['waits']): string {
  return by === 'hold' ? long.noHold : noneSeen;
}

/** A sentence about the largest part of the time waited; null if there was no wait. */
export function mostText({ waitedMs, parts }: WaitsBody['total'], nameOf: HolderName, { waits }: Words): string | null {
  const [first] = parts;
  if (!first) return null;
  const { cause, holder, lock, ms } = first;
  const who = holder === undefined ? null : nameOf(holder);
  return waits.most[cause](who, lock === undefined ? null : shown(lock), durationText(ms), percentText(ms / waitedMs));
}

/** A length of time; with `isAtLeast`, because a beginning was not seen: `at least 41 s`. */
export function timeText(ms: number, isAtLeast: boolean | undefined, texts: Words['waits']): string {
  return isAtLeast ? texts.atLeast(durationText(ms)) : durationText(ms);
}

/** As `timeText`, for a cell of a table: `–` if there was no time. */
export function timeCellText(ms: number, isAtLeast: boolean | undefined, texts: Words['waits']): string {
  return ms === 0 ? '–' : timeText(ms, isAtLeast, texts);
}

/** What the figures leave out, because its beginning was not seen; null: nothing. */
export function olderText(older: WaitsBody['statistics']['older'], { figures }: Words['waits']): string | null {
  return older ? figures.older(older.holds, older.waits) : null;
}

/** The hold that cost others most, in a sentence; null if no hold did. */
export function costliestText([first]: WaitsBody['holds'], nameOf: HolderName, { waits }: Words): string | null {
  if (!first) return null;
  const cost = timeText(first.causedMs, first.isAtLeast, waits);
  return waits.costliest(nameOf(first.holder), shown(first.lock), first.waiters, cost);
}

function shown(lock: string): string {
  return cutInMiddle(visibleText(lock), LONGEST);
}

/** A share in percent: `75 %`. A share above zero that would be rounded to zero is `< 1 %`. */
function percentText(share: number): string {
  const percent = Math.round(share * 100);
  return percent === 0 && share > 0 ? '< 1 %' : `${percent} %`;
}

/** A change of time with its sign; `–` if nothing changed. */
export function changeText(ms: number): string {
  if (ms === 0) return '–';
  return ms > 0 ? `+${durationText(ms)}` : `−${durationText(-ms)}`;
}
