import { groupedBy } from '../../../shared/base/grouped-by.ts';
import { prefixOf } from '../../../shared/base/name-prefix.ts';
import { nameInId } from '../../../shared/state/lock-state.ts';
import {
  EMPTY_ROW_PX,
  KEY_ROW_PX,
  LOCK_ROW_PX,
  MID_PX,
  QUIET_ROW_PX,
  THREAD_ROW_PX,
  WAITER_ROW_PX,
} from './metrics.ts';

/** One row of the picture. `y`: its top, from the top of the first row. */
export type Row = { readonly key: string; readonly y: number; readonly height: number } & (
  | { readonly kind: 'lock'; readonly lockId: string; readonly isOpen: boolean; readonly isPinned: boolean }
  | { readonly kind: 'key'; readonly lockId: string }
  | { readonly kind: 'thread'; readonly lockId: string; readonly lane: number; readonly holder: string }
  /** The lanes of a lock that have nothing in the view, in one row. */
  | { readonly kind: 'empty'; readonly lockId: string; readonly count: number; readonly isOpen: boolean }
  /** Quiet locks whose names begin with `prefix`. If it is empty: the locks that share no prefix. */
  | { readonly kind: 'quiet'; readonly prefix: string; readonly count: number; readonly isOpen: boolean }
);

export type RowInput = {
  /** Lock ids, top to bottom. */
  readonly order: readonly string[];
  readonly open: ReadonlySet<string>;
  /** Quiet locks, which are folded. 20 or more with the same prefix share a row; the rest share another row. */
  readonly quiet: ReadonlySet<string>;
  /** Keys of the rows of quiet locks that are open. */
  readonly openQuiet: ReadonlySet<string>;
  /** Lanes by their names in links: `orders:42`, `orders:42#uuid:7`. */
  readonly hidden: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  /** Keys of lanes without anything in the view. Such lanes of one lock share one folded row. */
  readonly folded?: ReadonlySet<string>;
  /** Keys of lanes with a hold in the view; all other lanes are lower. Absent: every lane has the same height. */
  readonly wide?: ReadonlySet<string>;
  /** Locks whose folded lanes are shown. */
  readonly openFolds?: ReadonlySet<string>;
  /** Holders of a lock's lanes, in order; called only for open locks. */
  readonly holdersOf: (lockId: string) => readonly string[];
};

/** The row key of a lock, or of one thread's lane. */
export function laneKey(lockId: string, holder?: string): string {
  return holder === undefined ? lockId : `${lockId}#${holder}`;
}

/** How links, and the hidden and pinned lanes, name a lane: by the lock's name, without source and database. */
export function linkKey(lockId: string, holder?: string): string {
  return holder === undefined ? nameInId(lockId) : `${nameInId(lockId)}#${holder}`;
}

/** The top of the marks of a row. In a low lane the marks are in the middle. */
export function markTop({ kind, y, height }: Row): number {
  return kind === 'thread' && height < THREAD_ROW_PX ? y + height / 2 - MID_PX : y;
}

/** From this number on, quiet locks with one prefix have a row of their own. */
const MANY = 20;

/** The key of the row of quiet locks with this prefix; without a prefix, of the row of all other quiet locks. */
export function quietKey(prefix = ''): string {
  return `?quiet ${prefix}`;
}

/** The rows of a picture, its height, and how many locks and lanes are hidden. Pinned locks are first, quiet ones last. */
export function rowsFrom(input: RowInput): { rows: Row[]; height: number; hiddenCount: number } {
  const rows: Row[] = [];
  let y = 0;
  let hiddenCount = 0;
  const add = (row: Row) => {
    rows.push(row);
    y += row.height;
  };
  const addLock = (lockId: string) => {
    const isOpen = input.open.has(lockId);
    const isPinned = input.pinned.has(linkKey(lockId));
    add({ kind: 'lock', key: lockId, lockId, isOpen, isPinned, y, height: LOCK_ROW_PX });
    if (!isOpen) return;
    add({ kind: 'key', key: `${lockId}?key`, lockId, y, height: KEY_ROW_PX });
    const folded: string[] = [];
    let lane = 0;
    const addLane = (holder: string) => {
      const key = laneKey(lockId, holder);
      const height = input.wide === undefined || input.wide.has(key) ? THREAD_ROW_PX : WAITER_ROW_PX;
      add({ kind: 'thread', key, lockId, lane: lane++, holder, y, height });
    };
    for (const holder of input.holdersOf(lockId)) {
      if (input.hidden.has(linkKey(lockId, holder))) hiddenCount++;
      else if (input.folded?.has(laneKey(lockId, holder))) folded.push(holder);
      else addLane(holder);
    }
    if (folded.length === 0) return;
    const isFoldOpen = input.openFolds?.has(lockId) === true;
    const fold = { kind: 'empty', key: `${lockId}?empty`, lockId, count: folded.length, isOpen: isFoldOpen } as const;
    add({ ...fold, y, height: EMPTY_ROW_PX });
    if (isFoldOpen) for (const holder of folded) addLane(holder);
  };

  const shown: string[] = [];
  const quiet: string[] = [];
  for (const id of input.order) {
    if (input.hidden.has(linkKey(id))) hiddenCount++;
    else if (input.quiet.has(id) && !input.pinned.has(linkKey(id))) quiet.push(id);
    else shown.push(id);
  }
  for (const id of shown) if (input.pinned.has(linkKey(id))) addLock(id);
  for (const id of shown) if (!input.pinned.has(linkKey(id))) addLock(id);
  for (const [prefix, ids] of groupsOf(quiet)) {
    const key = quietKey(prefix);
    const isOpen = input.openQuiet.has(key);
    add({ kind: 'quiet', key, prefix, count: ids.length, isOpen, y, height: QUIET_ROW_PX });
    if (isOpen) for (const id of ids) addLock(id);
  }
  return { rows, height: y, hiddenCount };
}

/** Quiet locks by prefix, the largest group first. Small groups are joined into a last group without prefix. */
function groupsOf(quiet: readonly string[]): readonly (readonly [prefix: string, ids: readonly string[]])[] {
  const prefixOfLock = (id: string) => prefixOf(nameInId(id)) ?? '';
  const byPrefix = groupedBy(quiet, prefixOfLock);
  const isLarge = (prefix: string) => prefix !== '' && (byPrefix.get(prefix)?.length ?? 0) >= MANY;
  const large = [...byPrefix].filter(([prefix]) => isLarge(prefix)).sort(([, a], [, b]) => b.length - a.length);
  const others = quiet.filter((id) => !isLarge(prefixOfLock(id)));
  return others.length === 0 ? large : [...large, ['', others]];
}

/** The rows between two heights of the picture, including rows that are partly inside. */
export function rowsBetween(rows: readonly Row[], top: number, bottom: number): readonly Row[] {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle] as Row; // middle is below the length
    if (row.y + row.height <= top) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while (last < rows.length && (rows[last] as Row).y < bottom) last++; // last is below the length
  return rows.slice(low, last);
}
