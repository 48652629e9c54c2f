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
 * What users decided about keys that are probably locks, by the forms of their names: one small file for each source. That all
 * such keys are shown is not kept: it is a view, and not a decision about a lock.
 */
export class KeptOwnLocks {
  readonly dir: string;

  constructor(dir = join(stateDir(process.env), 'own-locks')) {
    this.dir = dir;
  }

  /** The decisions about a source, by its URL without credentials; none if there is no readable file. */
  read(source: string): OwnLocksWish[] {
    try {
      const file = this.#fileOf(source);
      if (statSync(file).size > MOST_BYTES) return [];
      const { data } = kept.safeParse(JSON.parse(readFileSync(file, 'utf8')));
      return (data?.decided ?? []).map(({ form, isLock }) => ({ name: form, isLock }));
    } catch {
      return [];
    }
  }

  /** Keeps the decisions about a source, readable by its owner only. Throws if the folder cannot be used. */
  write(source: string, wishes: readonly OwnLocksWish[]): void {
    const decided = wishes.flatMap((wish) =>
      'name' in wish && wish.isLock !== null ? [{ form: nameShape(wish.name), isLock: wish.isLock }] : [],
    );
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
