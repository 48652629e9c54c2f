import { assertNever } from '../../../shared/base/assert-never.ts';
import { millisBetween, type RedisTime } from '../../../shared/base/time.ts';
import { clockText, durationText } from '../../ui/time-text.ts';
import type { Words } from '../../words/words.ts';
import { blockersOf } from './causes.ts';
import { endOf, type HoldMark, type Mark, type SpanMark, type Track, type WaitMark } from './marks.ts';

/** Returns the name shown for a holder at a lock: `A order-svc-1:7`. */
export type NameOf = (lockId: string, holder: string) => string;

/** One sentence about a mark: which holder held or wanted what, for how long, and how it ended. */
export function sentenceOf(track: Track, mark: Mark, now: RedisTime, nameOf: NameOf, words: Words): string {
  const who = nameOf(track.id, mark.holder);
  switch (mark.kind) {
    case 'hold':
      if (mark.belief) return words.marks.believed(who, track.name, spanText(track, mark, now, words).length);
      return words.marks.hold({
        ...spanText(track, mark, now, words),
        who,
        mode: mark.mode,
        deepest: mark.deepest,
        renewals: mark.renewals,
        token: mark.token,
        permit: permitText(mark),
        ended: mark.ended ?? 'open',
      });
    case 'wait':
      return words.marks.wait({
        ...spanText(track, mark, now, words),
        who,
        mode: mark.mode,
        line: lineText(mark),
        blockers: blockersOf(track, mark).map((holder) => nameOf(track.id, holder)),
        ended: mark.ended ?? 'open',
      });
    case 'run':
      return words.marks.run(
        who,
        track.name,
        mark.attempts,
        durationText(millisBetween(mark.from, mark.to), words.time),
      );
    case 'point':
      return words.marks.point[mark.point].sentence(who, track.name, mark.count, markWord(mark, words.marks));
    default:
      return assertNever(mark);
  }
}

/** A mark in one or two words, for tables and tooltips. */
export function markWord(mark: Mark, words: Words['marks']): string {
  if (mark.kind === 'hold' && mark.belief) return words.believes;
  if (mark.kind === 'hold') return words.label.holds[mark.mode](mark.deepest);
  if (mark.kind === 'wait') return words.waits;
  if (mark.kind === 'run') return words.many.run(mark.attempts);
  return mark.taken === null ? words.point[mark.point].word : words.taken[mark.taken];
}

/** The words for several marks drawn as one: `7 renewals`. */
export function countedWord(mark: Mark, count: number, words: Words['marks']): string {
  if (count < 2) return markWord(mark, words);
  return mark.kind === 'point' ? words.point[mark.point].many(count) : words.many[mark.kind](count);
}

/** The shortened id of a hold's permit, and when the permit expires; null: the hold is not a permit with an id. */
function permitText({ permit }: HoldMark): { id: string; until: string | null } | null {
  if (permit === null) return null;
  return { id: permit.id.slice(0, ID_SHOWN), until: permit.until === null ? null : clockText(permit.until) };
}

const ID_SHOWN = 8;

/** First and last place of a waiter in the queue, and its deadline while it is queued; null: it was not queued. */
function lineText({ stay }: WaitMark): { first: number; last: number; until: string | null } | null {
  const first = stay?.places[0];
  const last = stay?.places.at(-1);
  if (!stay || !first || !last) return null;
  return {
    first: first.position,
    last: last.position,
    until: stay.leftAt === null && stay.deadline !== null ? clockText(stay.deadline) : null,
  };
}

function spanText(track: Track, span: SpanMark, now: RedisTime, words: Words) {
  const length = durationText(millisBetween(span.from, endOf(span, now)), words.time);
  return { lock: track.name, length, isOpen: span.to === null, isOpenStart: span.isOpenStart };
}
