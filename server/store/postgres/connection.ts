import type { Client, ClientConfig } from 'pg';
import { pause, startTicks, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';
import { DatabaseError, type Row, type Value } from '../database.ts';
import { postgresError } from './faults.ts';

/**
 * A server that does not answer within this time is gone. What is written is small; dropping or ranking a month may
 * take a while.
 */
const CONNECT_MS = 5000;
const WRITE_MS = 15_000;
const ANSWER_MS = 120_000;
/** PostgreSQL may take `TRIES` times this long to end a connection. */
const TRY_MS = 50;
const TRIES = 40;
const PULSE_MS = 15_000;

/**
 * PostgreSQL ends the session of a process that is frozen or cut off within a minute, so that another process may
 * write. Older servers lack a setting; Unix sockets ignore some.
 */
const SETTINGS = {
  idle_session_timeout: '60000',
  idle_in_transaction_session_timeout: '60000',
  tcp_keepalives_idle: '15',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};

/** The class of our advisory locks, one for each source: any number that other programs do not use. */
const LOCKS = 0x4c_6f_63_6b;
const NUMBER = "hashtext(current_schema()::text || ' ' || $1::text)";
const LOCK = `SELECT pg_try_advisory_lock(${LOCKS}, ${NUMBER}) AS taken`;
/** Ends the processes of PostgreSQL among `$2` that hold the lock. */
const END_OLD = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = ${LOCKS}
  AND objid::bigint = ${NUMBER}::bigint & 4294967295 AND pid = ANY ($2::int[])
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** The part of the package `pg` that runs statements. */
type MakeClient = (config: ClientConfig) => Client;

/**
 * One connection to a database, opened again by the next statement after it was lost. It has the locks of the sources
 * that it writes.
 */
export class PostgresConnection {
  readonly #url: string;
  readonly #make: MakeClient;
  readonly #isReader: boolean;
  readonly #sources = new Set<string>();
  readonly #pulse: Timer;
  #client: Client | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #isInTransaction = false;
  #wasOpen = false;
  /** The processes of PostgreSQL that serve this connection, or one before it. */
  #servers: number[] = [];

  constructor(url: string, make: MakeClient, isReader: boolean) {
    // pg then reads `sslmode` as every other client of PostgreSQL does
    this.#url = /[?&]sslmode=/.test(url) ? `${url}&uselibpqcompat=true` : url;
    this.#make = make;
    this.#isReader = isReader;
    this.#pulse = startTicks(() => this.#beat(), PULSE_MS);
    this.#pulse.unref();
  }

  /** Runs a statement with `$1`, `$2` and so on. `name`: it is prepared once, and then known by this name. */
  query(text: string, values: readonly Value[], name?: string): Promise<readonly Row[]> {
    const answer = this.#turn.then(() => this.#run(text, values, name));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  /**
   * Runs `work` as one transaction. If the connection is lost before COMMIT, nothing of it is stored. If COMMIT is not
   * answered, all of it may be stored.
   */
  async transaction<T>(work: () => T | Promise<T>): Promise<T> {
    await this.query('BEGIN', []);
    this.#isInTransaction = true;
    try {
      const result = await work();
      await this.query('COMMIT', []);
      return result;
    } catch (error) {
      await this.query('ROLLBACK', []).catch(() => undefined); // a lost connection has ended it already
      throw error;
    } finally {
      this.#isInTransaction = false;
    }
  }

  /** Takes the lock of a source, for this connection and those after it. */
  async claim(source: string): Promise<boolean> {
    if (this.#sources.has(source)) return true;
    const [row] = await this.query(LOCK, [source]);
    if (row?.taken === true) this.#sources.add(source);
    return row?.taken === true;
  }

  async close(): Promise<void> {
    stopTimer(this.#pulse);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #run(text: string, values: readonly Value[], name?: string): Promise<readonly Row[]> {
    if (this.#isInTransaction && !this.#client) throw new DatabaseError('gone', 'the connection ended');
    const client = this.#client ?? (await this.#connect());
    try {
      const query_timeout = /^(?:INSERT|BEGIN|COMMIT)/.test(text) ? WRITE_MS : ANSWER_MS;
      const statement = { text, values: values.map(asTaken), query_timeout, ...(name ? { name } : {}) };
      const { rows } = await client.query<Row>(statement);
      return rows;
    } catch (error) {
      const known = postgresError(error);
      if (known.fault === 'gone') this.#drop(client);
      throw known;
    }
  }

  async #connect(): Promise<Client> {
    const times = { connectionTimeoutMillis: CONNECT_MS, query_timeout: ANSWER_MS, keepAlive: true };
    try {
      const client = this.#make({ connectionString: this.#url, fallback_application_name: 'lockscope', ...times });
      client.on('error', () => this.#drop(client));
      await client.connect();
      await this.#begin(client);
      this.#client = client;
      this.#wasOpen = true;
      return client;
    } catch (error) {
      const { fault, message } = postgresError(error);
      // the database could be opened before, so this is treated as an outage, for example a restart of the server
      throw new DatabaseError(this.#wasOpen && fault !== 'in-use' ? 'gone' : fault, message);
    }
  }

  async #begin(client: Client): Promise<void> {
    try {
      const settings = { ...SETTINGS, default_transaction_read_only: this.#isReader ? 'on' : 'off' };
      const { rows } = await client.query<Row>(
        `SELECT pg_backend_pid() AS pid, set_config(wanted.key, wanted.value, false) FROM json_each_text($1::json) AS wanted
          WHERE wanted.key IN (SELECT name FROM pg_settings)`,
        [JSON.stringify(settings)],
      );
      const pid = Number(rows[0]?.pid);
      this.#servers.push(pid);
      for (const source of this.#sources) {
        if (await this.#locks(client, source)) continue;
        throw new DatabaseError('in-use', `another Lockscope writes ${source} there`);
      }
      this.#servers = [pid];
    } catch (error) {
      this.#drop(client);
      throw error;
    }
  }

  /**
   * Takes the advisory lock of a source. If an earlier connection of ours was cut off, its server process may still
   * have the lock: that process is ended first.
   */
  async #locks(client: Client, source: string): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries++) {
      const old = await client.query<Row>(END_OLD, [source, this.#servers]);
      const { rows } = await client.query<Row>(LOCK, [source]);
      if (rows[0]?.taken === true) return true;
      if (old.rows.length === 0) return false;
      await pause(TRY_MS);
    }
    throw new DatabaseError('gone', 'the connection before is still open there');
  }

  /** Stops using this connection. The next statement opens another connection, but not within the same transaction. */
  #drop(client: Client): void {
    if (this.#client === client) this.#client = undefined;
    client.end().catch(() => undefined);
  }

  /** Shows PostgreSQL that this process still runs. */
  #beat(): void {
    if (this.#client && !this.#isInTransaction) this.query('SELECT 1', []).catch(() => undefined);
  }
}

/**
 * PostgreSQL accepts only whole numbers in a BIGINT. It accepts no NUL in a TEXT: the character U+2400 replaces NUL.
 */
function asTaken(value: Value): Value {
  if (typeof value === 'number') return Math.round(value);
  return typeof value === 'string' ? value.replaceAll('\0', '\u2400') : value;
}
