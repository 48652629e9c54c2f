import { millisBetween, type RedisTime } from '../../shared/base/time.ts';
import { type Certainty, isOfSource, type LockEvent } from '../../shared/events/event.ts';
import type { Fold } from '../../shared/spans/folds.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { shortClient, splitHolder } from '../../shared/wire/person-text.ts';
import { MOST_ATTEMPTS } from '../data/queries/attempts.ts';
import type { Written } from '../ui/table/write-slots.ts';
import { clockText, durationText, instantText, stepText } from '../ui/time-text.ts';
import { type ShownName, shownName } from '../ui/visible-text.ts';
import { zoneText } from '../ui/zone.ts';
import type { Words } from '../words/words.ts';
import { glyphHref } from './EventGlyph.tsx';
import { EVENT_GLYPHS, type GlyphShape } from './event-glyphs.ts';
import type { EventRow } from './event-rows.ts';
import { eventTitle } from './event-title.ts';
import { detailFromEvent } from './event-words.ts';

/** What the cells of a row depend on, beside the row. */
export type RowContext = {
  readonly words: Words;
  /** True without the column of locks. */
  readonly isOneLock: boolean;
  /** True if the source is shown beside the lock. */
  readonly hasManySources: boolean;
  /** Returns the age of an instant; null if the time of day is shown. */
  readonly ageOf: ((event: LockEvent, at: RedisTime) => string) | null;
  /** Returns the CLIENT LIST name of a client. */
  readonly nameOf: (client: string) => string | undefined;
  /** Returns the letter of a holder in this list. */
  readonly letterOf: (event: LockEvent, holder: string) => string | null;
};

/** What the cells of a row show. Rows of the same shape differ only in the texts of `slots`. */
export type RowTexts = Cells & { readonly shape: string; readonly slots: readonly Written[] };

type Cells = {
  readonly time: string;
  /** The title of the time. */
  readonly instant: string;
  readonly step: string;
  /** Null without the column of locks. */
  readonly lock: ShownName | string | null;
  readonly where: string | null;
  readonly holder: HolderTexts | null;
  readonly glyph: GlyphShape;
  readonly title: string;
  readonly isOpen: boolean;
  /** The id of a multi lock or RedLock. */
  readonly group: string | null;
  readonly detail: ShownName | null;
  /** How many events a fold contains, and the title of that: the instant of the last one. */
  readonly folded: { readonly text: string; readonly instant: string } | null;
  readonly certainty: Certainty;
};

type HolderTexts = {
  readonly title: string;
  readonly letter: string | null;
  readonly name: ShownName;
  readonly thread: string;
};

const LOCK_LENGTH = 64;
const HOLDER_LENGTH = 28;
const DETAIL_LENGTH = 160;

/** Returns what the cells of a row show. */
export function textsFromRow(row: EventRow, selected: number | null, context: RowContext): RowTexts {
  const { event, before } = row;
  const { words } = context;
  const at = row.kind === 'run' ? row.run.from : event.at;
  const clock = clockText(at);
  const what = kindTextsOf(row, context);
  const lock = context.isOneLock ? null : (what.locks ?? lockText(event));
  const cells: Cells = {
    time: context.ageOf?.(event, at) ?? clock,
    instant: context.ageOf === null ? instantText(at) : `${clock} ${zoneText(at)}`,
    step: before ? stepText(millisBetween(before.at, at), words.time) : '–',
    lock,
    where: lock !== null && context.hasManySources ? event.source : null,
    holder: what.holder === null ? null : holderTexts(event, what.holder, context),
    glyph: what.glyph,
    title: what.title,
    isOpen: row.kind === 'event' ? event.seq === selected : row.isOpen,
    group: row.kind === 'event' ? (event.group ?? null) : null,
    detail: what.detail,
    folded: what.folded ?? null,
    certainty: what.certainty,
  };
  return { ...cells, shape: shapeOf(row, cells), slots: slotsOf(cells) };
}

function slotsOf({ time, instant, step, lock, where, holder, glyph, title, detail, folded }: Cells): Written[] {
  return [
    { slot: 'time', text: time, title: instant },
    { slot: 'step', text: step },
    ...nameSlots('lock', lock),
    ...textSlot('where', where),
    ...(holder ? holderSlots(holder) : []),
    { slot: 'glyph', href: glyphHref(glyph) },
    { slot: 'title', text: title },
    ...nameSlots('detail', detail),
    { slot: 'folded', text: folded?.text ?? '', title: folded?.instant },
  ];
}

type KindTexts = {
  readonly holder: string | null;
  readonly glyph: GlyphShape;
  readonly title: string;
  readonly detail: ShownName | null;
  readonly certainty: Certainty;
  /** Instead of the name of the lock: how many locks the row is about. */
  readonly locks?: string;
  readonly folded?: Cells['folded'];
};

function kindTextsOf(row: EventRow, { words }: RowContext): KindTexts {
  if (row.kind === 'run') return runTexts(row, words);
  if (row.kind === 'fold') return foldTexts(row, words);
  const { event } = row;
  return {
    holder: holderOf(event),
    glyph: EVENT_GLYPHS[event.type],
    title: eventTitle(event, words),
    detail: shownName(detailFromEvent(event, words), DETAIL_LENGTH),
    certainty: event.certainty,
  };
}

/** The texts of a dense run: attempts without a pause, with their count. */
function runTexts({ run, event, isOpen }: EventRow & { kind: 'run' }, { eventList, time }: Words): KindTexts {
  const within = eventList.runWithin(durationText(millisBetween(run.from, run.to), time));
  const isCut = isOpen && run.attempts > MOST_ATTEMPTS;
  return {
    holder: run.holder,
    glyph: 'refused',
    title: eventList.run(run.attempts),
    detail: shownName(isCut ? `${within} ${eventList.firstListed(MOST_ATTEMPTS)}` : within, DETAIL_LENGTH),
    certainty: event.certainty,
  };
}

/** The texts of a fold: a quick turn, or the renewals of one client. */
function foldTexts({ fold, count, event }: EventRow & { kind: 'fold' }, { eventList, time }: Words): KindTexts {
  const locks = fold.what === 'renewals' ? new Set(fold.events.map(lockIdOf)).size : 1;
  const isInferred = fold.events.some(({ certainty }) => certainty === 'inferred');
  return {
    ...(fold.what === 'turn'
      ? {
          holder: fold.holder,
          glyph: 'acquired',
          title: eventList.turn(durationText(fold.heldMs, time)),
          detail: shownName(turnText(fold, eventList, time), DETAIL_LENGTH),
        }
      : { holder: fold.client, glyph: 'renewed', title: eventList.renewals(count), detail: null }),
    certainty: isInferred ? 'inferred' : 'observed',
    ...(locks > 1 ? { locks: eventList.locks(locks) } : {}),
    folded: { text: eventList.folded(count), instant: instantText((fold.events.at(-1) ?? event).at) },
  };
}

function turnText(
  { waitedMs, waitedAtLeast, events }: Fold & { what: 'turn' },
  say: Words['eventList'],
  time: Words['time'],
): string {
  const wokenBy = events.map(wokenByOf).find((cause) => cause !== undefined);
  return say.turnOf(waitedMs === null ? null : durationText(waitedMs, time), wokenBy ?? null, waitedAtLeast);
}

function wokenByOf(event: LockEvent): 'message' | 'own-timer' | undefined {
  return event.type === 'lock.acquired' ? event.wokenBy : undefined;
}

function lockText(event: LockEvent): ShownName | string {
  return isOfSource(event) ? '–' : shownName(event.lock, LOCK_LENGTH, { isOneLine: true });
}

function holderOf(event: LockEvent): string | null {
  if ('holder' in event && event.holder !== undefined) return event.holder;
  return 'client' in event && event.client !== undefined ? event.client : null;
}

function holderTexts(event: LockEvent, id: string, { nameOf, letterOf }: RowContext): HolderTexts {
  const { client, thread } = splitHolder(id);
  return {
    title: id.slice(0, 500),
    letter: letterOf(event, id),
    name: shownName(nameOf(client) || shortClient(client), HOLDER_LENGTH, { isOneLine: true }),
    thread: thread === null ? '' : `:${thread}`,
  };
}

function holderSlots({ title, letter, name, thread }: HolderTexts): Written[] {
  return [
    { slot: 'holder', title },
    ...textSlot('letter', letter),
    ...nameSlots('holder-name', name),
    { slot: 'thread', text: thread },
  ];
}

function textSlot(slot: string, text: string | null): Written[] {
  return text === null ? [] : [{ slot, text }];
}

function nameSlots(slot: string, name: ShownName | string | null): Written[] {
  if (name === null) return [];
  if (typeof name === 'string') return [{ slot, text: name }];
  const { head, tail, title } = name;
  const [first, last] = [head[0]?.text ?? '', tail[0]?.text ?? ''];
  switch (shapeOfName(name)) {
    case 'plain':
      return [{ slot, text: first, title }];
    case 'split':
      return [
        { slot, title },
        { slot: `${slot}-head`, text: first },
        { slot: `${slot}-tail`, text: last },
      ];
    default:
      return [];
  }
}

/** Elements and attributes that depend on the row. A name with invisible characters has elements of its own. */
function shapeOf(row: EventRow, cells: Cells): string {
  const { lock, where, holder, isOpen, group, detail, certainty } = cells;
  const names = [lock, holder?.name ?? null, detail].map(shapeOfName);
  const isOwn = names.includes('own');
  const has = [where !== null, holder !== null, holder?.letter != null];
  return [isOwn ? row.key : '', ...names, ...has, isOpen, group, certainty].join(' ');
}

function shapeOfName(name: ShownName | string | null): 'none' | 'text' | 'empty' | 'plain' | 'split' | 'own' {
  if (name === null) return 'none';
  if (typeof name === 'string') return 'text';
  const { head, tail } = name;
  if (head.length === 0) return 'empty';
  const isPlain = head.length === 1 && tail.length <= 1 && ![...head, ...tail].some(({ isSign }) => isSign);
  if (!isPlain) return 'own';
  return tail.length === 0 ? 'plain' : 'split';
}
