import { buildDrivenClient } from './redisson-build.ts';
import { JavaThread } from './redisson-thread.ts';
import { spawned, TellingProcess } from './telling-process.ts';

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

/** A real Redisson client in a JVM of its own. Its threads are driven one operation at a time. */
export class JavaClient extends TellingProcess {
  readonly #threads = new Map<string, JavaThread>();
  #uuids: readonly string[] = [];
  #isFrozen = false;

  /** Starts the client and waits until it is connected. */
  static async start(options: JavaClientOptions): Promise<JavaClient> {
    const classpath = await buildDrivenClient(options.version);
    const watchdog = options.watchdogMs === undefined ? [] : ['--watchdog', String(options.watchdogMs)];
    const args = [
      ...[...OPENED, ...QUICK_START, '-cp', classpath, 'lockscope.interop.DrivenClient'],
      ...['--url', options.redisUrls.join(','), '--name', options.name, ...watchdog],
    ];
    const client = new JavaClient(options.name, await spawned({ command: 'java', args }));
    return client.connected(`Redisson ${options.version}`, () => client.#uuids.length > 0);
  }

  /** The client's uuid as it told itself; `?` when this version keeps it to itself. */
  get uuid(): string {
    return this.#uuids[0] ?? '?';
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** The thread of that letter; its Java thread starts with its first operation. */
  thread(letter: string): JavaThread {
    const known = this.#threads.get(letter);
    if (known) return known;
    const thread = new JavaThread(this, letter, (line) => this.say(line));
    this.#threads.set(letter, thread);
    return thread;
  }

  /** SIGSTOP: every thread, timer and connection stands still. */
  freeze(): void {
    this.#isFrozen = true;
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#isFrozen = false;
    this.child.kill('SIGCONT');
  }

  /** Ends it by the end of its input. */
  async stop(): Promise<void> {
    if (!this.isAlive()) return;
    if (this.#isFrozen) this.thaw();
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.end();
    await gone;
  }

  protected hear(line: string): void {
    const [, , who = '', direction = '', ...more] = line.split(' ');
    if (who === 'ready') {
      this.#uuids = [direction, ...more];
      return;
    }
    const [letter = '', id = ''] = who.split('#');
    this.thread(letter).heard(id, direction, line);
  }

  protected died(): void {
    for (const thread of this.#threads.values()) thread.died();
  }
}
