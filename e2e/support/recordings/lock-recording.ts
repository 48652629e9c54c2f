import { ACQUIRE, channelOf, RELEASE, shaOf } from '../clients/app.ts';

/** The client of the recording. */
const RECORDED_CLIENT = '3ca119b6-8a69-49a3-a453-36c00fa0521d';
const LEASE_MS = 600_000;
const COMMANDS_ADDRESS = '127.0.0.1:51334';
const SUBSCRIPTIONS_ADDRESS = '127.0.0.1:51372';

/**
 * A recording at level `monitor` of a client that uses one lock, as Lockscope writes it, with exact times: for
 * scenarios that need exact lengths of time, which no live client has. Times are in ms since its beginning, in order.
 */
export class LockRecording {
  readonly #lock: string;
  readonly #beganMs: number;
  readonly #lines: object[] = [];

  constructor(lock: string, beganMs: number) {
    this.#lock = lock;
    this.#beganMs = beganMs;
    this.#add(0, { watch: 'monitor', pushFirst: true });
  }

  /** A thread acquires the free lock. */
  acquire(ms: number, thread: number): void {
    this.#run(ms, ACQUIRE, [this.#lock], [String(LEASE_MS), holder(thread)]);
    this.#inner(ms, 'exists', this.#lock);
    this.#inner(ms, 'hincrby', this.#lock, holder(thread), '1');
    this.#inner(ms, 'pexpire', this.#lock, String(LEASE_MS));
  }

  /** A thread fails to acquire the lock, subscribes and fails again. */
  wait(ms: number, thread: number): void {
    this.#refuse(ms, thread);
    this.#command(ms, SUBSCRIPTIONS_ADDRESS, 'SUBSCRIBE', String(channelOf(this.#lock)));
    this.#refuse(ms, thread);
  }

  release(ms: number, thread: number): void {
    const channel = String(channelOf(this.#lock));
    this.#run(ms, RELEASE, [this.#lock, channel], ['0', String(LEASE_MS), holder(thread)]);
    this.#inner(ms, 'hexists', this.#lock, holder(thread));
    this.#inner(ms, 'hincrby', this.#lock, holder(thread), '-1');
    this.#inner(ms, 'del', this.#lock);
    this.#inner(ms, 'publish', channel, '0');
    this.#add(ms, { with: [channel, '0'] });
  }

  /** The file of the recording, which ends at `ms`. */
  file(ms: number): Buffer<ArrayBuffer> {
    const source = {
      ...{ id: 'redis', url: 'redis://127.0.0.1:6379', redisVersion: '7.0.15', role: 'master' },
      ...{ level: 'monitor', isPushFirst: true },
    };
    const header = { lockscope: 'recording', format: 1, source, startedAt: this.#at(0) };
    const end = { end: this.#at(ms), signals: this.#lines.length };
    return Buffer.from([header, ...this.#lines, end].map((line) => `${JSON.stringify(line)}\n`).join(''));
  }

  #refuse(ms: number, thread: number): void {
    this.#run(ms, ACQUIRE, [this.#lock], [String(LEASE_MS), holder(thread)]);
    this.#inner(ms, 'exists', this.#lock);
    this.#inner(ms, 'hexists', this.#lock, holder(thread));
    this.#inner(ms, 'pttl', this.#lock);
  }

  #run(ms: number, script: string, keys: readonly string[], values: readonly string[]): void {
    this.#command(ms, COMMANDS_ADDRESS, 'EVALSHA', shaOf(script), String(keys.length), ...keys, ...values);
  }

  #command(ms: number, from: string, ...words: string[]): void {
    this.#add(ms, { db: 0, from, do: words });
  }

  #inner(ms: number, ...words: string[]): void {
    this.#add(ms, { db: 0, lua: words });
  }

  #add(ms: number, line: object): void {
    this.#lines.push({ at: this.#at(ms), ...line });
  }

  #at(ms: number): number {
    return (this.#beganMs + ms) * 1000;
  }
}

function holder(thread: number): string {
  return `${RECORDED_CLIENT}:${thread}`;
}
