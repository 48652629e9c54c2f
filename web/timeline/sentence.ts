import { assertNever } from '../../shared/base/assert-never.ts';
import { millisBetween, type RedisTime } from '../../shared/base/time.ts';
import { countOf, durationText } from '../ui/time-text.ts';
import { blockersOf } from './causes.ts';
import { endOf, type HoldMark, type Mark, type PointMark, type Track, type WaitMark } from './marks.ts';

/** How a holder is called at a lock: `A order-svc-1:7`. */
export type NameOf = (lockId: string, holder: string) => string;

/** One sentence about a mark in plain words: who wanted or had what, for how long, and how it ended. */
export function sentenceOf(track: Track, mark: Mark, now: RedisTime, nameOf: NameOf): string {
  const who = nameOf(track.id, mark.holder);
  switch (mark.kind) {
    case 'hold':
      return `${who} ${holdText(mark, track, now)}.`;
    case 'wait':
      return `${who} ${waitText(mark, track, now, nameOf)}.`;
    case 'point':
      return `${who} ${pointText(mark, track)}.`;
    default:
      return assertNever(mark);
  }
}

/** A mark in one or two words, for tables and tooltips. */
export function markWord(mark: Mark): string {
  if (mark.kind === 'point') return mark.word === '' ? POINT_WORDS[mark.point] : mark.word;
  return mark.kind === 'hold' ? `holds ×${mark.deepest}` : 'waits';
}

/** Several marks drawn as one: `7 renewals`. */
export function countedWord(mark: Mark, count: number): string {
  if (count < 2) return markWord(mark);
  if (mark.kind === 'hold') return countOf(count, 'hold');
  if (mark.kind === 'wait') return countOf(count, 'wait');
  return countOf(count, ...MANY_WORDS[mark.point]);
}

const POINT_WORDS: Readonly<Record<PointMark['point'], string>> = {
  renewed: 'renewed',
  reentered: 're-entered',
  'partly-released': 'partial release',
  released: 'released',
  refused: 'refused',
  'unlock-refused': 'unlock refused',
  'renewal-refused': 'renewal refused',
  expired: 'lease expired',
  'taken-away': 'taken away',
};

const MANY_WORDS: Readonly<Record<PointMark['point'], [one: string, many: string]>> = {
  renewed: ['renewal', 'renewals'],
  reentered: ['re-entry', 're-entries'],
  'partly-released': ['partial release', 'partial releases'],
  released: ['release', 'releases'],
  refused: ['refused attempt', 'refused attempts'],
  'unlock-refused': ['refused unlock', 'refused unlocks'],
  'renewal-refused': ['refused renewal', 'refused renewals'],
  expired: ['expiry', 'expiries'],
  'taken-away': ['lost hold', 'lost holds'],
};

function holdText(hold: HoldMark, track: Track, now: RedisTime): string {
  const length = durationText(millisBetween(hold.from, endOf(hold, now)));
  const verb = hold.to === null ? 'has held' : 'held';
  const how = hold.mode === 'exclusive' ? '' : ` to ${hold.mode}`;
  const deep = hold.deepest > 1 ? `, up to ×${hold.deepest}` : '';
  const renewals =
    hold.renewals > 0 ? `, refilled ${hold.renewals === 1 ? 'once' : countOf(hold.renewals, 'time')}` : '';
  const start = hold.isOpenStart ? ', beginning unseen' : '';
  return `${verb} ${track.name}${how} for ${length}${deep}${renewals}${start}${HOLD_ENDS[hold.ended ?? 'open']}`;
}

const HOLD_ENDS = {
  released: ', then released it',
  expired: ', until the lease ran out',
  'force-released': ', until it was force-released',
  deleted: ', until its key was deleted',
  evicted: ', until Redis evicted its key',
  flushed: ', until the database was flushed',
  unseen: '; how it ended was not seen',
  open: ' so far',
} as const;

function waitText(wait: WaitMark, track: Track, now: RedisTime, nameOf: NameOf): string {
  const length = durationText(millisBetween(wait.from, endOf(wait, now)));
  const blockers = blockersOf(track, wait).map((holder) => nameOf(track.id, holder));
  const by = blockers.length > 0 ? `, blocked by ${blockers.join(' and ')}` : '';
  return `${wait.to === null ? 'has waited' : 'waited'} ${length} for ${track.name}${by}${WAIT_ENDS[wait.ended ?? 'open']}`;
}

const WAIT_ENDS = {
  message: ', ended by message',
  'own-timer': ', ended by its own timer, without a message',
  acquired: ', then got it',
  'gave-up': ', then gave up',
  'presumed-gone': ', then did not come back when it should have',
  unseen: '; how it ended was not seen',
  open: ' so far',
} as const;

function pointText(point: PointMark, track: Track): string {
  switch (point.point) {
    case 'renewed':
      return `refilled the lease of ${track.name}`;
    case 'reentered':
      return `took ${track.name} once more: it now holds ×${point.count ?? 2}`;
    case 'partly-released':
      return `gave back one level of ${track.name}: it still holds ×${point.count ?? 1}`;
    case 'released':
      return `released ${track.name}`;
    case 'refused':
      return `asked for ${track.name} and was told no`;
    case 'unlock-refused':
      return `tried to unlock ${track.name}, which it did not hold`;
    case 'renewal-refused':
      return `tried to refill the lease of ${track.name}, which it no longer held`;
    case 'expired':
      return `lost ${track.name}: its lease ran out`;
    case 'taken-away':
      return `lost ${track.name}: ${point.word}`;
    default:
      return assertNever(point.point);
  }
}
