import { lockIdOf } from '../../../shared/state/lock-state.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import type { UnreadLock } from '../terms/quarantine.ts';

type Mark = NonNullable<Lock['unread']>;

/** Marks locks that are not read, for example because they are too large: their state must not look up to date. */
export class UnreadLocks {
  readonly #marks = new Map<string, Mark & { readonly source: string }>();

  /** Takes all unread locks of one source. Returns the ids of locks whose mark changed. */
  set(source: string, locks: readonly UnreadLock[]): string[] {
    const next = new Map(
      locks.map(({ name: lock, db, since, reason }) => [lockIdOf({ source, db, lock }), { since, reason }]),
    );
    const changed: string[] = [];
    for (const [id, mark] of this.#marks) {
      if (mark.source !== source || next.has(id)) continue;
      this.#marks.delete(id);
      changed.push(id);
    }
    for (const [id, mark] of next) {
      const before = this.#marks.get(id);
      if (before?.since === mark.since && before.reason === mark.reason) continue;
      this.#marks.set(id, { ...mark, source });
      changed.push(id);
    }
    return changed;
  }

  /** The lock with its mark, if it has one. */
  marked(lock: Lock): Lock {
    const mark = this.#marks.get(lock.id);
    return mark ? { ...lock, unread: { since: mark.since, reason: mark.reason } } : lock;
  }
}
