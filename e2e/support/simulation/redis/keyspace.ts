import { RedisModel } from '../../../../testing/oracle/redis-model.ts';
import type { PubSub } from './pub-sub.ts';
import { type Look, memoryOf, READERS } from './read-commands.ts';
import { Failure, type Reply, WRONG_TYPE } from './reply.ts';
import type { Session } from './session.ts';
import { isNotified, keysOf, WRITERS } from './write-commands.ts';

/** When a command runs. In a script, only keys that had expired when the script began count as expired. */
export type Instant = { readonly nowMs: number; readonly expiryMs: number };

/** The keys of a server: commands on them, expiry, and notifications. */
export class Keyspace {
  model = new RedisModel();
  /** The value of `notify-keyspace-events`. */
  flags = '';
  readonly #pubSub: PubSub;
  /** Connections that are to be informed of the next change of a key. */
  readonly #tracked = new Map<string, Set<Session>>();

  constructor(pubSub: PubSub) {
    this.#pubSub = pubSub;
  }

  /** Runs a command on keys. `session`: the connection that reads, unless a script does. */
  run(db: number, words: readonly string[], at: Instant, session?: Session): Reply {
    const command = (words[0] ?? '').toLowerCase();
    const read = READERS[command];
    const write = WRITERS[command];
    if (!read && !write) return unknownCommand(words);
    const names = keysOf(command, words);
    for (const name of names) this.expireIfOver(db, name, at.expiryMs);
    const key = this.model.find(db, words[1] ?? '');
    if (key && !fits(command, key.content.type)) return WRONG_TYPE;
    const look: Look = { model: this.model, db, key, rest: words.slice(2), nowMs: at.nowMs };
    if (read) {
      if (session?.isTracking && session.isCaching) for (const name of names) this.#track(name, session);
      return read(look);
    }
    const effect = this.model.effectOf(db, words, at.nowMs * 1000);
    const reply = write?.(look, effect.events.length) ?? null;
    effect.commit();
    for (const { key: name, event, fields } of effect.events) this.#changed(db, name, event, fields);
    return reply;
  }

  /** Takes the keys of a server that has ended. */
  takeKeys({ model }: Keyspace): void {
    this.model = model;
  }

  /** Deletes a key if it has expired, as Redis does when a command uses the key. */
  expireIfOver(db: number, name: string, nowMs: number): void {
    const expiresAt = this.model.find(db, name)?.expiresAt;
    if (expiresAt == null || nowMs * 1000 <= expiresAt) return;
    this.model.delete(db, name);
    this.#changed(db, name, 'expired');
  }

  /** Deletes every key that has expired, as Redis does ten times a second. */
  expireAll(nowMs: number): void {
    const expired = [...this.model.all()].filter(({ key }) => key.expiresAt !== null && nowMs * 1000 > key.expiresAt);
    for (const { db, name } of expired) this.expireIfOver(db, name, nowMs);
  }

  /** Deletes all keys, or those of one database. */
  flush(db?: number): void {
    for (const each of [...this.model.all()])
      if (db === undefined || each.db === db) this.model.delete(each.db, each.name);
    const sessions = new Set([...this.#tracked.values()].flatMap((each) => [...each]));
    this.#tracked.clear();
    for (const { output } of sessions) output.push(['invalidate', null]);
  }

  memory(db: number, name: string): number | null {
    return memoryOf(this.model.find(db, name), name);
  }

  /** A connection has ended. */
  forget(session: Session): void {
    for (const sessions of this.#tracked.values()) sessions.delete(session);
  }

  /**
   * Field notifications as Redis 8.8 documents them ("subkey notifications", and `notify.c` of that version): after the
   * key events of the same command, one form after the other. This was not compared with a server of that version.
   */
  #publishFields(db: number, name: string, event: string, fields: readonly string[]): void {
    const { flags } = this;
    const list = lengthsAnd(fields);
    if (flags.includes('S')) this.#pubSub.publish(`__subkeyspace@${db}__:${name}`, `${event}|${list}`);
    if (flags.includes('T')) this.#pubSub.publish(`__subkeyevent@${db}__:${event}`, `${lengthsAnd([name])}|${list}`);
    if (flags.includes('I') && !name.includes('\n'))
      for (const field of fields) this.#pubSub.publish(`__subkeyspaceitem@${db}__:${name}\n${field}`, event);
    if (flags.includes('V')) this.#pubSub.publish(`__subkeyspaceevent@${db}__:${event}|${name}`, list);
  }

  #track(name: string, session: Session): void {
    const sessions = this.#tracked.get(name) ?? new Set();
    this.#tracked.set(name, sessions.add(session));
  }

  #changed(db: number, name: string, event: string, fields?: readonly string[]): void {
    if (isNotified(this.flags, event)) {
      if (this.flags.includes('K')) this.#pubSub.publish(`__keyspace@${db}__:${name}`, event);
      if (this.flags.includes('E')) this.#pubSub.publish(`__keyevent@${db}__:${event}`, name);
      if (fields && fields.length > 0) this.#publishFields(db, name, event, fields);
    }
    const sessions = this.#tracked.get(name);
    if (!sessions) return;
    this.#tracked.delete(name);
    for (const { output } of sessions) output.push(['invalidate', [name]]);
  }
}

/** Names with their lengths in bytes. Names are strings with one character per byte here. */
function lengthsAnd(names: readonly string[]): string {
  return names.map((name) => `${name.length}:${name}`).join(',');
}

/** Commands on keys of any type. */
const GENERIC = new Set([
  'exists',
  'type',
  'ttl',
  'pttl',
  'del',
  'unlink',
  'pexpire',
  'expire',
  'pexpireat',
  'persist',
  'set',
]);
const BY_LETTER: Readonly<Record<string, string>> = { h: 'hash', l: 'list', r: 'list', z: 'zset' };

function fits(command: string, type: string): boolean {
  return GENERIC.has(command) || (BY_LETTER[command[0] ?? ''] ?? 'string') === type;
}

function unknownCommand(words: readonly string[]): Failure {
  return new Failure(`ERR unknown command '${words[0] ?? ''}', with args beginning with: `);
}
