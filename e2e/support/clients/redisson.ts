import { buildDrivenClient } from './redisson-build.ts';
import { JavaThread } from './redisson-thread.ts';
import { ReportingProcess, spawned } from './reporting-process.ts';

/** Old Redisson versions use internal packages of the JDK. */
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
  /** One URL, or several for locks that need a majority of servers. All other locks use the first one. */
  redisUrls: readonly string[];
  name: string;
  watchdogMs?: number;
  /** The replica of the client's only server. The client then waits for it after each script of a lock. */
  replicaUrl?: string;
  /** How many ms the clock that the client uses for fair locks is ahead. */
  clockAheadMs?: number;
};

/** A real Redisson client in its own JVM. Each of its threads runs one operation at a time. */
export class JavaClient extends ReportingProcess {
  readonly #threads = new Map<string, JavaThread>();
  /** The client's uuid at each server. */
  uuids: readonly string[] = [];
  #isFrozen = false;

  /** Starts the client and waits until it is connected. */
  static async start(options: JavaClientOptions): Promise<JavaClient> {
    const classpath = await buildDrivenClient(options.version);
    const watchdog = options.watchdogMs === undefined ? [] : ['--watchdog', String(options.watchdogMs)];
    const replica = options.replicaUrl === undefined ? [] : ['--replica', options.replicaUrl];
    const ahead = options.clockAheadMs === undefined ? [] : ['--clock-ahead', String(options.clockAheadMs)];
    const args = [
      ...[...OPENED, ...QUICK_START, '-cp', classpath, 'lockscope.interop.DrivenClient'],
      ...['--url', options.redisUrls.join(','), '--name', options.name, ...watchdog, ...replica, ...ahead],
    ];
    const client = new JavaClient(options.name, await spawned({ command: 'java', args }));
    return client.connected(`Redisson ${options.version}`, () => client.uuids.length > 0);
  }

  /** The client's uuid at its first server; `?` if this version does not report it. */
  get uuid(): string {
    return this.uuids[0] ?? '?';
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** The thread with that letter. Its Java thread starts with its first operation. */
  thread(letter: string): JavaThread {
    const known = this.#threads.get(letter);
    if (known) return known;
    const thread = new JavaThread(this, letter, (line) => this.send(line));
    this.#threads.set(letter, thread);
    return thread;
  }

  /** SIGSTOP: stops every thread, timer and connection until `thaw`. */
  freeze(): void {
    this.#isFrozen = true;
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#isFrozen = false;
    this.child.kill('SIGCONT');
  }

  /** Ends the client by closing its standard input. */
  async stop(): Promise<void> {
    if (!this.isAlive()) return;
    if (this.#isFrozen) this.thaw();
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.end();
    await gone;
  }

  protected receive(line: string): void {
    const [, , who = '', direction = '', ...more] = line.split(' ');
    if (who === 'ready') {
      this.uuids = [direction, ...more];
      return;
    }
    const [letter = '', id = ''] = who.split('#');
    this.thread(letter).receive(id, direction, line);
  }

  protected died(): void {
    for (const thread of this.#threads.values()) thread.died();
  }
}
