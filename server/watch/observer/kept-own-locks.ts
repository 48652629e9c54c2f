import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { OwnLocksWish } from '../../../shared/events/apply/tokens/own-locks.ts';
import { nameShape } from '../../../shared/events/names/name-shape.ts';
import { stateDir } from './setting-notes.ts';

/** Decisions that are kept for one source: the newest. */
const MOST = 200;
const MOST_BYTES = 262_144;

const kept = z.object({
  v: z.literal(1),
  /** Without credentials, for people who read the file. */
  source: z.string(),
  decided: z.array(z.object({ form: z.string().min(1).max(200), isLock: z.boolean() })).max(MOST),
});

/**
 * What users decided about keys that are probably locks, by the forms of their names: one small file for each source.
 * Every command and every embedded Lockscope of this user reads the file of a source when it begins to watch. The wish
 * to see all such keys is not kept: it is a view, not a decision about a lock.
 */
export class KeptOwnLocks {
  readonly #dir: string | undefined;

  constructor(dir?: string) {
    this.#dir = dir;
  }

  /** Throws if the system knows no home of this user. */
  get dir(): string {
    return this.#dir ?? join(stateDir(process.env), 'own-locks');
  }

  /** The decisions about a source, by its URL without credentials; none if there is no readable file. */
  read(source: string): { name: string; isLock: boolean }[] {
    try {
      const file = this.#fileOf(source);
      if (statSync(file).size > MOST_BYTES) return [];
      const { data } = kept.safeParse(JSON.parse(readFileSync(file, 'utf8')));
      return (data?.decided ?? []).map(({ form, isLock }) => ({ name: form, isLock }));
    } catch {
      return [];
    }
  }

  /**
   * Adds a decision about a source to those on disk, where another Lockscope may have written since; `isLock: null`
   * removes one. The file is readable by its owner only. Throws if the folder cannot be used.
   */
  keep(source: string, wish: OwnLocksWish): void {
    if ('shown' in wish) return;
    const form = nameShape(wish.name);
    const decided = this.read(source).flatMap(({ name, isLock }) => (name === form ? [] : [{ form: name, isLock }]));
    if (wish.isLock !== null) decided.push({ form, isLock: wish.isLock });
    const file = this.#fileOf(source);
    if (decided.length === 0) return rmSync(file, { force: true });
    mkdirSync(this.dir, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify({ v: 1, source, decided: decided.slice(-MOST) })}\n`, {
      mode: 0o600,
      flag: 'wx',
    });
    renameSync(draft, file);
  }

  #fileOf(source: string): string {
    return join(this.dir, `${createHash('sha256').update(source).digest('hex').slice(0, 32)}.json`);
  }
}
