import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { end } from './redis.ts';
import { buildDrivenClient } from './redisson-build.ts';
import { waitFor } from './wait-for.ts';

/** Old releases reach into the JDK's insides. */
const OPENED = [
  'java.lang',
  'java.lang.reflect',
  'java.util',
  'java.util.concurrent',
  'java.nio',
  'java.net',
  'sun.nio.ch',
]
  .map((name) => `java.base/${name}=ALL-UNNAMED`)
  .concat('jdk.unsupported/sun.misc=ALL-UNNAMED')
  .flatMap((opened) => ['--add-opens', opened]);
const QUICK_START = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto', '-Xmx128m'];

export type JavaClientOptions = { version: string; redisUrl: string; name: string; watchdogMs?: number };

/**
 * A real Redisson client in a JVM of its own.
 * Its threads are driven one operation at a time; `truth` grows with every line it tells.
 */
export class JavaClient {
  readonly name: string;
  readonly truth: string[] = [];
  #child: ChildProcess;
  #threads = new Map<string, JavaThread>();
  #uuid: string | undefined;
  #errors = '';
  #isFrozen = false;

  /** Starts the client and waits until it is connected. */
  static async start(options: JavaClientOptions): Promise<JavaClient> {
    const classpath = await buildDrivenClient(options.version);
    const watchdog = options.watchdogMs === undefined ? [] : ['--watchdog', String(options.watchdogMs)];
    const child = spawn(
      'java',
      [
        ...[...OPENED, ...QUICK_START, '-cp', classpath, 'lockscope.interop.DrivenClient'],
        ...['--url', options.redisUrl, '--name', options.name, ...watchdog],
      ],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    await once(child, 'spawn').catch((error: NodeJS.ErrnoException) => {
      const hint = error.code === 'ENOENT' ? 'java is not installed; on Debian: apt-get install default-jdk' : '';
      throw new Error(hint || `java did not start: ${error.message}`);
    });
    const client = new JavaClient(options.name, child);
    try {
      await waitFor(
        `Redisson ${options.version} to connect`,
        () => {
          if (!client.isAlive()) throw new Error(`Redisson ${options.version} ended: ${client.#errors}`);
          return client.#uuid !== undefined;
        },
        60_000,
      );
    } catch (error) {
      await client.kill();
      throw error;
    }
    return client;
  }

  private constructor(name: string, child: ChildProcess) {
    this.name = name;
    this.#child = child;
    createInterface({ input: child.stdout!, crlfDelay: 0 }).on('line', (line) => this.#hear(line));
    child.stderr!.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-4000);
    });
    child.once('exit', () => {
      for (const thread of this.#threads.values()) thread.died();
    });
  }

  /** The client's uuid as it told itself; `?` when this version keeps it to itself. */
  get uuid(): string {
    return this.#uuid ?? '?';
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** What it wrote to stderr, the newest 4000 characters. */
  get errors(): string {
    return this.#errors;
  }

  /** The thread of that letter; its Java thread starts with its first operation. */
  thread(letter: string): JavaThread {
    const known = this.#threads.get(letter);
    if (known) return known;
    const thread = new JavaThread(this, letter, (line) => this.#child.stdin?.write(`${line}\n`));
    this.#threads.set(letter, thread);
    return thread;
  }

  isAlive(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** SIGSTOP: every thread, timer and connection stands still. */
  freeze(): void {
    this.#isFrozen = true;
    this.#child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#child.kill('SIGCONT');
  }

  /** SIGKILL: no goodbye to Redis. Calls under way come back as `! killed`. */
  async kill(): Promise<void> {
    await end(this.#child, 'SIGKILL');
  }

  /** Ends it by the end of its input. */
  async stop(): Promise<void> {
    if (!this.isAlive()) return;
    if (this.#isFrozen) this.thaw();
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    await gone;
  }

  #hear(line: string): void {
    this.truth.push(line);
    const [, , who = '', direction = ''] = line.split(' ');
    if (who === 'ready') {
      this.#uuid = direction;
      return;
    }
    const [letter = '', id = ''] = who.split('#');
    this.thread(letter).heard(id, direction, line);
  }
}

/** One Java thread of a client. Every operation resolves to what it returned, or to `! Exception: message`. */
export class JavaThread {
  readonly client: JavaClient;
  readonly letter: string;
  #id: string | undefined;
  #waiting: ((result: string) => void) | undefined;
  #send: (line: string) => void;

  constructor(client: JavaClient, letter: string, send: (line: string) => void) {
    this.client = client;
    this.letter = letter;
    this.#send = send;
  }

  /** Its holder id, `uuid:thread`; known once its first operation has begun. */
  get holder(): string {
    return `${this.client.uuid}:${this.#id ?? '?'}`;
  }

  lock(name: string, leaseMs?: number): Promise<string> {
    return this.perform('lock', name, leaseMs === undefined ? [] : [leaseMs]);
  }

  tryLock(name: string, waitMs?: number, leaseMs?: number): Promise<string> {
    return this.perform('try', name, waitMs === undefined ? [] : leaseMs === undefined ? [waitMs] : [waitMs, leaseMs]);
  }

  unlock(name: string): Promise<string> {
    return this.perform('unlock', name);
  }

  forceUnlock(name: string): Promise<string> {
    return this.perform('force', name);
  }

  holdCount(name: string): Promise<string> {
    return this.perform('count', name);
  }

  /** Any operation on any kind of lock. One at a time: a thread that waits cannot be asked for more. */
  perform(operation: string, name: string, args: readonly number[] = [], kind = 'lock'): Promise<string> {
    if (this.#waiting) throw new Error(`${this.client.name} ${this.letter} is still busy`);
    if (!this.client.isAlive()) return Promise.resolve('! killed');
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#send([this.letter, operation, kind, encodeURIComponent(name), ...args].join(' '));
    });
  }

  /** @internal A truth line of this thread. */
  heard(id: string, direction: string, line: string): void {
    this.#id = id;
    if (direction === '<') this.#finish(/ ([=!]) (.*)$/.exec(outcomeOf(line)));
  }

  /** @internal The client's process is gone. */
  died(): void {
    this.#waiting?.('! killed');
    this.#waiting = undefined;
  }

  #finish(outcome: RegExpExecArray | null): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (outcome) waiting?.(outcome[1] === '=' ? (outcome[2] ?? '') : `! ${outcome[2]}`);
  }
}

/** What stands behind `µs client thread < operation kind name`, whatever signs the name is made of. */
function outcomeOf(line: string): string {
  return ` ${line.split(' ').slice(7).join(' ')}`;
}
