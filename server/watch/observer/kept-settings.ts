import { type ServerVersion, withKeyEvents } from '../../../shared/base/key-event-flags.ts';
import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import { nodeOf } from '../../../shared/base/topology-url.ts';
import { serverVersionOf } from '../../redis/connection/capabilities.ts';
import { inTime } from '../../redis/connection/in-time.ts';
import { fieldsFromInfo } from '../../redis/connection/info-fields.ts';
import { RawConnection } from '../../redis/connection/raw-connection.ts';
import { isAlive, type SettingNote, SettingNotes, thisUser } from './setting-notes.ts';
import { SettingsGuard } from './settings-guard.ts';

const SETTING = 'notify-keyspace-events';
/** The start and the end wait this long at most for a server that hangs. */
const PREPARE_WITHIN_MS = 2000;
const RESTORE_WITHIN_MS = 1000;
const MOST_SERVERS = 10_000;

/** `id`: the `run_id` of the server, or its address if INFO is refused. */
type Kept = { readonly id: string; readonly server: RedisUrl; readonly before: string; readonly set: string };
type Options = {
  /** `--configure-notifications`. */
  readonly isWanted: boolean;
  readonly notes?: SettingNotes;
  readonly warn: (message: string) => void;
};

/**
 * Redis's `notify-keyspace-events`, changed while we watch. It belongs to the main thread: so the setting is restored
 * even if an observer has ended, and several sources on one server share it.
 *
 *   found ""  ── note on disk ── CONFIG SET "Eghxe" ── … ── still "Eghxe"? CONFIG SET "" ── note removed
 *
 * Each run of a server is changed at most once: a later change by another client is never overwritten.
 */
export class KeptSettings {
  readonly #options: Options;
  readonly #notes: SettingNotes;
  /** Runs of servers that were looked at. */
  readonly #met = new Set<string>();
  readonly #kept = new Map<string, Kept>();
  readonly #guard = new SettingsGuard();
  readonly #turns = new Map<string, Promise<void>>();
  #isEnding = false;

  constructor(options: Options) {
    this.#options = options;
    this.#notes = options.notes ?? new SettingNotes();
  }

  /**
   * Sets on a server what level `events` needs, if that is wanted. Otherwise restores what a killed run left. Never
   * rejects.
   */
  prepare(server: RedisUrl): Promise<void> {
    if (this.#isEnding || (!this.#options.isWanted && this.#notes.isEmpty())) return Promise.resolve();
    const node = nodeOf(server);
    const before = this.#turns.get(node) ?? Promise.resolve();
    const turn = before.then(() => within(PREPARE_WITHIN_MS, (isLate) => this.#prepare(server, isLate)));
    const settled = turn.catch(() => undefined); // the source itself reports a server that cannot be reached
    this.#turns.set(node, settled);
    if (this.#turns.size > MOST_SERVERS) this.#turns.clear();
    return settled;
  }

  /** Restores the setting of every server on which it is still the one that we set, and no other Lockscope uses it. */
  async restore(): Promise<void> {
    this.#isEnding = true;
    await Promise.all([...this.#kept.values()].map((kept) => this.#restore(kept)));
    this.#guard.end();
  }

  #prepare(server: RedisUrl, isLate: () => boolean): Promise<void> {
    return onServer(server, async (flags, id, set, version) => {
      if (this.#met.has(id) || this.#isEnding || isLate()) return;
      if (this.#met.size > MOST_SERVERS) this.#met.clear();
      this.#met.add(id);
      const found = this.#notes.read(id);
      const note = found && areSame(found.set, flags) ? found : undefined;
      if (found && !note) this.#notes.remove(id); // another client has changed the setting since
      const before = note?.before ?? flags;
      const others = (note?.users ?? []).filter(isAlive);
      if (!this.#options.isWanted) {
        if (!note || others.length > 0 || !(await set(before))) return;
        this.#notes.remove(id);
        return this.#options.warn(
          `${nodeOf(server)}: ${SETTING} is "${before}" again; a killed run had left "${flags}".`,
        );
      }
      const wanted = withKeyEvents(flags, version);
      if (wanted === flags && !note) return;
      this.#write(id, { v: 1, server: nodeOf(server), before, set: wanted, users: [...others, thisUser()] });
      this.#kept.set(id, { id, server, before, set: wanted });
      this.#guard.add(server);
      if (wanted === flags || (await set(wanted))) return;
      this.#kept.delete(id);
      this.#notes.remove(id);
    });
  }

  async #restore({ id, server, before, set: ours }: Kept): Promise<void> {
    const others = (this.#notes.read(id)?.users ?? []).filter(isAlive);
    const note = { v: 1, server: nodeOf(server), before, set: ours } as const;
    if (others.length > 0) return this.#write(id, { ...note, users: others });
    try {
      await within(RESTORE_WITHIN_MS, async () => {
        await this.#turns.get(nodeOf(server)); // the setting may just be changed
        await onServer(server, async (flags, present, set) => {
          const isOurs = present === id && areSame(flags, ours);
          if (isOurs && !(await set(before))) throw new Error('CONFIG SET was refused');
          this.#notes.remove(id);
        });
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.warn(
        `${nodeOf(server)}: ${SETTING} is still "${ours}" and was "${before}" (${why}). The next run there restores it.`,
      );
    }
  }

  #write(id: string, note: SettingNote): void {
    try {
      this.#notes.write(id, note);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.warn(`No note about ${SETTING} can be kept (${why}). If Lockscope is killed, the setting stays.`);
    }
  }
}

type OnServer = (
  flags: string,
  id: string,
  set: (flags: string) => Promise<boolean>,
  version: ServerVersion,
) => Promise<void>;

/** Calls `job` with a server's setting and its `run_id`, over a separate connection; not if CONFIG is refused. */
async function onServer(server: RedisUrl, job: OnServer): Promise<void> {
  const connection = await RawConnection.open(server);
  try {
    const version = serverVersionOf(await connection.greet(server));
    const [config, info] = await connection.pipeline([
      ['CONFIG', 'GET', SETTING],
      ['INFO', 'server'],
    ]);
    if (!Array.isArray(config)) return;
    const id = fieldsFromInfo(info).get('run_id') ?? nodeOf(server);
    const set = async (flags: string) => {
      const [reply] = await connection.pipeline([['CONFIG', 'SET', SETTING, flags]]);
      return reply === 'OK';
    };
    await job(String(config[1] ?? ''), id, set, version);
  } finally {
    connection.close();
  }
}

/** Whether two values are the same setting: Redis returns the flags in its own order. */
function areSame(a: string, b: string): boolean {
  const inOrder = (flags: string) =>
    [...new Set(flags.includes('A') ? flags.replace(/[g$lshzxetd]/g, '') : flags)].sort().join('');
  return inOrder(a) === inOrder(b);
}

/** Rejects after `ms`. `isLate` returns whether that has happened. */
async function within(ms: number, job: (isLate: () => boolean) => Promise<void>): Promise<void> {
  let isLate = false;
  const isDone = await inTime(
    ms,
    job(() => isLate).then(() => true),
  );
  isLate = isDone !== true;
  if (isLate) throw new Error(`no answer within ${ms} ms`);
}
