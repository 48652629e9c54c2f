import { createHash } from 'node:crypto';
import { ADMIN, isHidden } from './admin-commands.ts';
import { type Instant, Keyspace } from './keyspace.ts';
import { type LuaScript, translateLua } from './lua.ts';
import type { LuaValue } from './lua-runtime.ts';
import { monitorLine } from './monitor-line.ts';
import { PubSub } from './pub-sub.ts';
import { Failure, luaOf, QUEUED, type Reply, replyOf, ScriptError } from './reply.ts';
import { type Output, Session } from './session.ts';

/** What a server is started with. */
export type RedisSettings = {
  /** The present time in µs since the epoch. */
  micros(): number;
  /** A number that no other server of the simulation has. */
  readonly number: number;
  /** The value of `notify-keyspace-events`. */
  readonly flags: string;
  /** The version that the server reports. Absent: 7.0.15. */
  readonly version?: string | undefined;
};

const NO_SCRIPT = new Failure('NOSCRIPT No matching script. Please use EVAL.');

/**
 * A model of Redis 7.0 with what lock clients and Lockscope use: keys that expire, scripts, pub/sub, key events, client
 * tracking, transactions and MONITOR. Everything that a connection receives is in the order of the real server:
 *
 *   EVALSHA   its line · for each command: what it publishes, its line (`lua`) · the reply
 *   DEL       what it publishes · its line · the reply
 *   EXEC      for each command: what it publishes, its line · the line of EXEC · the reply
 */
export class SimulatedRedis {
  readonly pubSub = new PubSub();
  readonly keyspace: Keyspace;
  readonly sessions = new Set<Session>();
  readonly settings: RedisSettings;
  readonly scripts = new Map<string, LuaScript>();
  /** Commands and bytes since the start. */
  readonly counts = { commands: 0, bytes: 0 };
  /** Commands per second, measured about once a second. */
  opsPerSecond = 0;
  readonly #monitors = new Set<Session>();
  #clients = 0;
  #micros = 0;
  #counted = { atMs: 0, commands: 0 };

  constructor(settings: RedisSettings) {
    this.settings = settings;
    this.keyspace = new Keyspace(this.pubSub);
    this.keyspace.flags = settings.flags;
  }

  /** Accepts a connection. */
  connect(address: string, output: Output): Session {
    const session = new Session(++this.#clients, address, this.nowMs, output);
    this.sessions.add(session);
    return session;
  }

  /** A connection has ended: its client has closed it, or is gone. */
  end(session: Session): void {
    if (!this.sessions.delete(session)) return;
    this.#monitors.delete(session);
    this.pubSub.end(session);
    this.keyspace.forget(session);
  }

  /** What Redis does ten times a second. */
  cron(): void {
    this.keyspace.expireAll(this.nowMs);
    const { atMs, commands } = this.#counted;
    if (this.nowMs - atMs < 1000) return;
    this.opsPerSecond = Math.round(((this.counts.commands - commands) * 1000) / (this.nowMs - atMs));
    this.#counted = { atMs: this.nowMs, commands: this.counts.commands };
  }

  /** Runs a command of a connection and writes its reply. */
  execute(session: Session, words: readonly string[]): void {
    if (!this.sessions.has(session)) return;
    session.activeMs = this.nowMs;
    for (const word of words) this.counts.bytes += word.length + 8;
    const command = (words[0] ?? '').toLowerCase();
    const { isCaching } = session;
    if (session.queue && command !== 'exec') {
      session.queue.push(words);
      session.output.reply(QUEUED);
      return;
    }
    const reply = command === 'exec' ? this.#executeQueue(session, words) : this.#call(session, words);
    if (reply !== undefined) session.output.reply(reply);
    if (isCaching && !session.queue && command !== 'client') session.isCaching = false;
  }

  startMonitor(session: Session): void {
    session.isMonitor = true;
    this.#monitors.add(session);
  }

  /** Keeps a script and returns its hash. */
  load(text: string): string {
    const sha = createHash('sha1').update(Buffer.from(text, 'latin1')).digest('hex');
    if (!this.scripts.has(sha)) this.scripts.set(sha, translateLua(text));
    return sha;
  }

  /** The time of the server in whole ms. */
  get nowMs(): number {
    return Math.floor(this.#now() / 1000);
  }

  /** The time of the server in µs, different for each command. */
  tick(): number {
    this.#micros = this.#now() + 1;
    return this.#micros;
  }

  #now(): number {
    return Math.max(this.#micros, this.settings.micros());
  }

  #executeQueue(session: Session, words: readonly string[]): Reply {
    const queue = session.queue ?? [];
    session.queue = undefined;
    const replies = queue.map((each) => this.#call(session, each) ?? null);
    this.#show(session.db, session.address, words);
    return replies;
  }

  /** Returns `undefined` if the reply has been written already. */
  #call(session: Session, words: readonly string[]): Reply | undefined {
    this.counts.commands++;
    const command = (words[0] ?? '').toLowerCase();
    if (command === 'evalsha' || command === 'eval') {
      this.#show(session.db, session.address, words);
      return this.#runScript(session, command === 'eval' ? this.load(words[1] ?? '') : (words[1] ?? ''), words);
    }
    const { db } = session;
    const nowMs = this.nowMs;
    const admin = ADMIN[command];
    const reply = admin
      ? admin({ redis: this, session, words })
      : this.keyspace.run(db, words, { nowMs, expiryMs: nowMs }, session);
    if (!isHidden(command, words)) this.#show(session.db, session.address, words);
    return reply;
  }

  #runScript({ db }: Session, sha: string, words: readonly string[]): Reply {
    const script = this.scripts.get(sha);
    if (!script) return NO_SCRIPT;
    const expiryMs = this.nowMs;
    const from = 3 + Number(words[2]);
    const call = (...parts: LuaValue[]) => this.#callFromScript(db, parts.map(String), { nowMs: this.nowMs, expiryMs });
    try {
      return replyOf(script(words.slice(3, from), words.slice(from), call));
    } catch (error) {
      if (error instanceof ScriptError) return error.reply;
      throw error;
    }
  }

  #callFromScript(db: number, words: readonly string[], at: Instant): LuaValue {
    this.counts.commands++;
    const isMessage = words[0]?.toLowerCase() === 'publish';
    const reply = isMessage ? this.pubSub.publish(words[1] ?? '', words[2] ?? '') : this.keyspace.run(db, words, at);
    this.#show(db, 'lua', words);
    return luaOf(reply);
  }

  #show(db: number, from: string, words: readonly string[]): void {
    const micros = this.tick();
    if (this.#monitors.size === 0) return;
    const line = monitorLine(micros, db, from, words);
    for (const { output } of this.#monitors) output.line(line);
  }
}
