import { prefixOf } from '../../shared/base/name-prefix.ts';
import { wantedBy } from '../../shared/insights/attention.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';

/** A row of the table of locks: a lock, or many with one prefix that need no attention. */
export type LockRow =
  | { readonly kind: 'lock'; readonly lock: Lock }
  | {
      readonly kind: 'group';
      readonly key: string;
      /** What the names of the locks begin with: `cart:`. */
      readonly prefix: string;
      readonly locks: number;
      readonly held: number;
      readonly isOpen: boolean;
    };

/** This many or more locks with one prefix share a row. */
const LEAST_LOCKS = 20;

/**
 * Returns the rows of a table in order of need. 20 or more locks of one database with one prefix share a row, at the
 * place of the first of them. Locks that are `troubled` or waited for have rows of their own. An expanded row (its key
 * is in `open`) is followed by its locks.
 */
export function groupedRows(
  locks: readonly Lock[],
  troubled: ReadonlySet<string>,
  open: ReadonlySet<string>,
): readonly LockRow[] {
  const groups = new Map<string, { prefix: string; locks: Lock[] }>();
  const groupOf = new Map<string, string>();
  for (const lock of locks) {
    const prefix = wantedBy(lock) > 0 || troubled.has(lock.id) ? null : prefixOf(lock.name);
    if (prefix === null) continue;
    const key = JSON.stringify([lock.source, lock.db, prefix]);
    const group = groups.get(key);
    if (group) group.locks.push(lock);
    else groups.set(key, { prefix, locks: [lock] });
    groupOf.set(lock.id, key);
  }
  const placed = new Set<string>();
  return locks.flatMap((lock): readonly LockRow[] => {
    const key = groupOf.get(lock.id);
    const group = key === undefined ? undefined : groups.get(key);
    if (key === undefined || !group || group.locks.length < LEAST_LOCKS) return [{ kind: 'lock', lock }];
    if (placed.has(key)) return [];
    placed.add(key);
    const isOpen = open.has(key);
    const held = group.locks.filter((each) => each.held).length;
    const row: LockRow = { kind: 'group', key, prefix: group.prefix, locks: group.locks.length, held, isOpen };
    return isOpen ? [row, ...group.locks.map((each): LockRow => ({ kind: 'lock', lock: each }))] : [row];
  });
}
