import type { JavaClient } from './redisson.ts';

/** Operations of a thread on locks, or other objects, of one kind. */
export type ThreadAtKind = {
  lock(name: string, leaseMs?: number): Promise<string>;
  tryLock(name: string, waitMs?: number, leaseMs?: number): Promise<string>;
  unlock(name: string): Promise<string>;
  perform(operation: string, name: string, ...args: readonly number[]): Promise<string>;
};

/** One Java thread of a client. Every operation resolves to its return value, or to `! Exception: message`. */
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

  /** The holder id, `uuid:thread`; known once the thread's first operation has begun. */
  get holder(): string {
    return `${this.client.uuid}:${this.#id ?? '?'}`;
  }

  lock(name: string, leaseMs?: number): Promise<string> {
    return this.perform('lock', name, onlyGiven(leaseMs));
  }

  tryLock(name: string, waitMs?: number, leaseMs?: number): Promise<string> {
    return this.perform('try', name, onlyGiven(waitMs, leaseMs));
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

  /** Operations of this thread on another kind of lock: `fair`, `read`, `multi` … */
  at(kind: string): ThreadAtKind {
    return {
      lock: (name, leaseMs) => this.perform('lock', name, onlyGiven(leaseMs), kind),
      tryLock: (name, waitMs, leaseMs) => this.perform('try', name, onlyGiven(waitMs, leaseMs), kind),
      unlock: (name) => this.perform('unlock', name, [], kind),
      perform: (operation, name, ...args) => this.perform(operation, name, args, kind),
    };
  }

  /** Runs any operation on any kind of lock. Throws if another operation of this thread is still running. */
  perform(operation: string, name: string, args: readonly number[] = [], kind = 'lock'): Promise<string> {
    if (this.#waiting) throw new Error(`${this.client.name} ${this.letter} is still busy`);
    if (!this.client.isAlive()) return Promise.resolve('! killed');
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#send([this.letter, operation, kind, encodeURIComponent(name), ...args].join(' '));
    });
  }

  /** @internal A truth line of this thread. */
  receive(id: string, direction: string, line: string): void {
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

function onlyGiven(...times: readonly (number | undefined)[]): number[] {
  return times.filter((time) => time !== undefined);
}

/** The part of a line after `µs client thread < operation kind name`, whatever characters the name has. */
function outcomeOf(line: string): string {
  return ` ${line.split(' ').slice(7).join(' ')}`;
}
