import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { wallMs } from '../../redis/connection/surroundings.ts';

const MOST_NOTES = 1000;
const MOST_BYTES = 65_536;
const KEPT_MS = 30 * 24 * 3_600_000;

const flags = z.string().regex(/^[A-Za-z$]{0,30}$/);
const note = z.object({
  v: z.literal(1),
  /** `host:port`, for people who read the file. */
  server: z.string(),
  /** `notify-keyspace-events` before Lockscope changed it, and after. */
  before: flags,
  set: flags,
  /** The Lockscope processes that use the setting: process id, and when the process began. */
  users: z.array(z.object({ pid: z.number().int().positive(), began: z.string() })).max(1000),
});

/** The setting of one server before Lockscope changed it. It has no credentials. */
export type SettingNote = z.infer<typeof note>;
type User = SettingNote['users'][number];

/**
 * Notes on disk of settings that Lockscope changed, one small file for each server. A note is written before the
 * change: if Lockscope is killed, the note stays, and the next run restores the setting.
 */
export class SettingNotes {
  readonly dir: string;

  constructor(dir = stateDir(process.env)) {
    this.dir = dir;
  }

  isEmpty(): boolean {
    return this.#files().length === 0;
  }

  /** The note about a server; `undefined` if no readable note exists. */
  read(id: string): SettingNote | undefined {
    try {
      const file = this.#fileOf(id);
      if (statSync(file).size > MOST_BYTES) return undefined;
      return note.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
    } catch {
      return undefined;
    }
  }

  /** Writes the note, readable by its owner only. Throws if the folder cannot be used. */
  write(id: string, content: SettingNote): void {
    mkdirSync(this.dir, { recursive: true, mode: 0o700 });
    chmodSync(this.dir, 0o700);
    this.#prune();
    const file = this.#fileOf(id);
    const draft = `${file}.${process.pid}`;
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  }

  remove(id: string): void {
    try {
      rmSync(this.#fileOf(id), { force: true });
    } catch {
      // The next run finds a different setting, and removes the note.
    }
  }

  #prune(): void {
    const files = this.#files();
    for (const file of files) if (wallMs() - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { force: true });
    if (files.length >= MOST_NOTES) throw new Error(`${this.dir} has ${MOST_NOTES} notes already`);
  }

  #files(): string[] {
    try {
      return readdirSync(this.dir).flatMap((name) => (name.endsWith('.json') ? [join(this.dir, name)] : []));
    } catch {
      return [];
    }
  }

  #fileOf(id: string): string {
    return join(this.dir, `notifications-${createHash('sha256').update(id).digest('hex').slice(0, 32)}.json`);
  }
}

/** Lockscope's own folder for state. */
export function stateDir(env: { XDG_STATE_HOME?: string }): string {
  const { XDG_STATE_HOME: base } = env;
  return join(base && isAbsolute(base) ? base : join(homedir(), '.local/state'), 'lockscope');
}

/** This process, as a user of a setting. */
export function thisUser(): User {
  return { pid: process.pid, began: beganAt(process.pid) };
}

/**
 * Whether another Lockscope on this machine still runs. A process id that was reused does not count, if the system
 * reports when processes began.
 */
export function isAlive({ pid, began }: User): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return beganAt(pid) === began;
}

/** When a process began, in clock ticks since the machine booted; empty if the system does not report it. */
function beganAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
