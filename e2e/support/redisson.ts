import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { end } from './redis.ts';
import { buildDrivenClient } from './redisson-build.ts';
import { JavaThread } from './redisson-thread.ts';
import { waitFor } from './wait-for.ts';

/** Old releases reach into the JDK's insides. */
const OPENED = [
  'java.lang',
  'java.lang.reflect',
  'java.util',
  'java.util.concurrent',
  'java.util.concurrent.atomic',
  'java.io',
  'java.math',
  'java.text',
  'java.nio',
  'java.net',
  'sun.nio.ch',
]
  .map((name) => `java.base/${name}=ALL-UNNAMED`)
  .concat('jdk.unsupported/sun.misc=ALL-UNNAMED')
  .flatMap((opened) => ['--add-opens', opened]);
const QUICK_START = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto', '-Xmx128m'];

export type JavaClientOptions = {
  version: string;
  /** One, or several for locks that need a majority of servers: the first is the one for everything else. */
  redisUrls: readonly string[];
  name: string;
  watchdogMs?: number;
};

/**
 * A real Redisson client in a JVM of its own.
 * Its threads are driven one operation at a time; `truth` grows with every line it tells.
 */
export class JavaClient {
  readonly name: string;
  readonly truth: string[] = [];
  #child: ChildProcess;
  #threads = new Map<string, JavaThread>();
  #uuids: readonly string[] = [];
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
        ...['--url', options.redisUrls.join(','), '--name', options.name, ...watchdog],
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
          return client.#uuids.length > 0;
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
    return this.#uuids[0] ?? '?';
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
    const [, , who = '', direction = '', ...more] = line.split(' ');
    if (who === 'ready') {
      this.#uuids = [direction, ...more];
      return;
    }
    const [letter = '', id = ''] = who.split('#');
    this.thread(letter).heard(id, direction, line);
  }
}
