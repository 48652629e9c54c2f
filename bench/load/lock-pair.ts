import { LOCK, type Script, UNLOCK } from '../../server/demo/client/scripts.ts';
import { lockChannel } from '../../shared/events/names/names.ts';
import { CommandPipe } from './command-pipe.ts';

/** MONITOR lines of one round: 4 for the acquisition, 4 for the refusal, 7 for the release. */
export const LINES_PER_ROUND = 15;
/** Events of one round: acquired, refused, released, wakeup.published. */
export const EVENTS_PER_ROUND = 4;
const LOCKS = 500;
const LEASE = '30000';

/** Two clients that want the same locks: one acquires, the other is refused, the first releases. */
export class LockPair {
  readonly #holder: CommandPipe;
  readonly #rival: CommandPipe;
  readonly #number: number;
  #rounds = 0;
  #step = 0;
  #isBusy = false;
  #owed = 0;
  #done: (() => void) | undefined;

  constructor(url: string, number: number) {
    this.#holder = new CommandPipe(url);
    this.#rival = new CommandPipe(url);
    this.#number = number;
  }

  async prepare(): Promise<void> {
    await this.#holder.ask('SCRIPT', 'LOAD', LOCK.text);
    await this.#holder.ask('SCRIPT', 'LOAD', UNLOCK.text);
  }

  /** Starts the next step as soon as the one before is done. */
  step(): void {
    this.#owed++;
    this.#next();
  }

  /** Settles when all steps are done. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#isBusy && this.#owed === 0) return resolve();
      this.#done = resolve;
    });
  }

  close(): void {
    this.#holder.close();
    this.#rival.close();
  }

  #next(): void {
    if (this.#isBusy) return;
    if (this.#owed === 0) return this.#done?.();
    this.#owed--;
    this.#isBusy = true;
    const onReply = () => {
      this.#isBusy = false;
      this.#next();
    };
    const step = this.#step++ % 3;
    const name = `warehouse:order-${this.#number + 10 * (this.#rounds % LOCKS)}`;
    if (step === 0) this.#holder.send([call(LOCK, [name], [LEASE, this.#id('0', this.#rounds)])], onReply);
    else if (step === 1) this.#rival.send([call(LOCK, [name], [LEASE, this.#id('1', this.#rounds)])], onReply);
    else {
      const latch = `redisson_unlock_latch:{${name}}:${this.#rounds}`;
      const args = ['0', LEASE, this.#id('0', this.#rounds++), 'publish', '13500'];
      this.#holder.send([call(UNLOCK, [name, lockChannel(name), latch], args)], onReply);
    }
  }

  /** `uuid:thread` of the holder's or the rival's client. */
  #id(client: string, round: number): string {
    return `${String(this.#number).padStart(8, '0')}-0000-4000-8000-00000000000${client}:${40 + (round % 30)}`;
  }
}

function call(script: Script, keys: readonly string[], args: readonly string[]): string[] {
  return ['EVALSHA', script.sha, String(keys.length), ...keys, ...args];
}
