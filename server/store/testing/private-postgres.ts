import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client } from 'pg';
import { endWithUs } from '../../redis/private-server/end-with-us.ts';
import { freePorts } from '../../redis/private-server/free-ports.ts';
import { soon } from '../../testing/soon.ts';

const DEBIAN = '/usr/lib/postgresql';
const MISSING =
  'These tests need PostgreSQL (initdb and postgres): apt-get install postgresql, brew install postgresql, or set POSTGRES_BIN to the folder of its programs.';
const USER = 'lockscope';
const PASSWORD = 's3cret:pass';

/** A private PostgreSQL with its data in a new folder. It listens on 127.0.0.1, and ends with this process. */
export class PrivatePostgres {
  readonly port: number;
  readonly #bin: string;
  readonly #dir: string;
  readonly #rights: { readonly uid?: number; readonly gid?: number };
  readonly #settings: string[];
  #child: ChildProcess | undefined;
  #cancel: (() => void) | undefined;

  /**
   * Makes a new PostgreSQL and starts it. `tls`: it has a self-signed certificate. Rejects if this machine has no
   * PostgreSQL.
   */
  static async start({ tls = false } = {}): Promise<PrivatePostgres> {
    const bin = findBin();
    if (bin === undefined) throw new Error(MISSING);
    const [port = 0] = await freePorts(1);
    const server = new PrivatePostgres(bin, port);
    server.#make();
    if (tls) server.#makeCertificate();
    await server.go();
    return server;
  }

  private constructor(bin: string, port: number) {
    this.#bin = bin;
    this.port = port;
    this.#settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=50'];
    this.#dir = mkdtempSync(join(tmpdir(), 'lockscope-postgres-'));
    this.#rights = process.getuid?.() === 0 ? otherUser() : {};
    const { uid, gid } = this.#rights;
    if (uid !== undefined && gid !== undefined) chownSync(this.#dir, uid, gid);
    chmodSync(this.#dir, 0o700);
  }

  /** The URL of a database. The default user may do everything. */
  url(database = 'postgres', password = PASSWORD, user = USER): string {
    return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts PostgreSQL, for the first time or again. */
  async go(): Promise<void> {
    const child = spawn(
      join(this.#bin, 'postgres'),
      ['-D', join(this.#dir, 'data'), ...this.#settings.flatMap((each) => ['-c', each])],
      {
        ...this.#rights,
        cwd: this.#dir,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    this.#child = child;
    this.#cancel = endWithUs(child.pid ?? 0, this.#dir);
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
    await soon(() => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with code ${child.exitCode}: ${log}`);
      if (!log.includes('ready to accept connections')) throw new Error(`PostgreSQL is not ready: ${log}`);
    });
  }

  /** Ends PostgreSQL at once, as a crash does, and waits until all of its processes have ended. */
  async crash(): Promise<void> {
    await this.#end('SIGKILL');
    // the other processes end soon after the first process, and only then a new PostgreSQL may use the data
    await soon(async () => {
      await this.sql('SELECT 1').then(
        () => Promise.reject(new Error('it still runs')),
        () => undefined,
      );
    });
  }

  /** Ends PostgreSQL and all connections. `go` starts it again. */
  async pause(): Promise<void> {
    await this.#end('SIGINT');
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT');
    rmSync(this.#dir, { recursive: true, force: true });
  }

  /** Runs statements as the user who may do everything, and returns the rows of the last statement. */
  async sql(text: string, database = 'postgres'): Promise<readonly Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.url(database) });
    client.on('error', () => undefined); // a crash ends the connection: the query is rejected, too
    await client.connect();
    const answers: unknown = await client.query(text).finally(() => client.end());
    const last = Array.isArray(answers) ? answers.at(-1) : answers;
    return (last as { rows: Record<string, unknown>[] }).rows; // `pg` answers in this form
  }

  /** The certificate of the server, which its clients must trust. */
  get certificate(): string {
    return join(this.#dir, 'cert.pem');
  }

  #makeCertificate(): void {
    const key = join(this.#dir, 'key.pem');
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const words = ['req', '-x509', ...kind, ...name, '-keyout', key, '-out', this.certificate];
    execFileSync('openssl', words, { ...this.#rights, stdio: 'ignore' });
    this.#settings.push('ssl=on', `ssl_cert_file=${this.certificate}`, `ssl_key_file=${key}`);
  }

  #make(): void {
    const file = join(this.#dir, 'password');
    execFileSync('sh', ['-c', `umask 077; printf %s '${PASSWORD}' > "$1"`, 'sh', file], this.#rights);
    const words = ['-D', join(this.#dir, 'data'), '-U', USER, '--pwfile', file, '-A', 'scram-sha-256', '-E', 'UTF8'];
    execFileSync(join(this.#bin, 'initdb'), [...words, '--no-sync', '--locale=C.UTF-8'], {
      ...this.#rights,
      cwd: this.#dir,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    this.#cancel?.();
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
}

/**
 * The folder with `postgres` and `initdb`; undefined: this machine has no such folder. Debian does not put these
 * programs on the path.
 */
function findBin(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.POSTGRES_BIN ? [process.env.POSTGRES_BIN] : []),
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
  ];
  return folders.find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')));
}

/** The user as which PostgreSQL runs if this process is root: PostgreSQL refuses to run as root. */
function otherUser(): { readonly uid: number; readonly gid: number } {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // there is no such user
    }
  }
  throw new Error('PostgreSQL does not run as root, and this machine has neither the user postgres nor nobody.');
}
