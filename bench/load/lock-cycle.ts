import { connect, type Socket } from 'node:net';
import { LOCK, type Script, UNLOCK } from '../../server/demo/client/scripts.ts';
import { encodeCommand } from '../../server/redis/connection/encode-command.ts';
import { lockChannel } from '../../shared/events/names/names.ts';
import { CommandPipe } from './command-pipe.ts';

/** Steps and lock events of one cycle: the eight steps of two threads that want one lock. */
export const STEPS_PER_CYCLE = 8;
export const EVENTS_PER_CYCLE = 10;
const LEASE = '30000';

/** One Redisson client: a connection for commands, and one for subscriptions. */
export class LoadClient {
  readonly commands: CommandPipe;
  readonly uuid: string;
  readonly #listening: Socket;

  constructor(url: string, number: number) {
    this.uuid = `${String(number).padStart(8, '0')}-52c1-4e5a-9c1d-0242ac120002`;
    this.commands = new CommandPipe(url);
    const { hostname, port } = new URL(url);
    this.#listening = connect(Number(port), hostname);
    this.#listening.resume();
  }

  async prepare(): Promise<void> {
    await this.commands.ask('SCRIPT', 'LOAD', LOCK.text);
    await this.commands.ask('SCRIPT', 'LOAD', UNLOCK.text);
  }

  /** Sends SUBSCRIBE or UNSUBSCRIBE. Messages are ignored. */
  listen(command: 'SUBSCRIBE' | 'UNSUBSCRIBE', channel: string): void {
    this.#listening.write(encodeCommand([command, channel]));
  }

  close(): void {
    this.commands.close();
    this.#listening.destroy();
  }
}

/**
 * One lock that two threads of different clients hold in turn, again and again:
 *
 *   A locks · B is refused · B subscribes · B is refused again, sleeps · A unlocks · B locks · B unsubscribes · B unlocks
 */
export class LockCycle {
  readonly #name: string;
  readonly #first: LoadClient;
  readonly #second: LoadClient;
  readonly #thread: number;
  #step = 0;
  #isBusy = false;

  constructor(name: string, first: LoadClient, second: LoadClient, thread: number) {
    this.#name = name;
    this.#first = first;
    this.#second = second;
    this.#thread = thread;
  }

  /** Starts the next step and returns true; false if the step before has no reply yet. */
  next(): boolean {
    if (this.#isBusy) return false;
    const step = this.#step++ % STEPS_PER_CYCLE;
    const channel = lockChannel(this.#name);
    if (step === 2) this.#second.listen('SUBSCRIBE', channel);
    else if (step === 6) this.#second.listen('UNSUBSCRIBE', channel);
    else if (step === 4) this.#unlock(this.#first, channel);
    else if (step === 7) this.#unlock(this.#second, channel);
    else this.#send(step === 0 ? this.#first : this.#second, LOCK, [this.#name], [LEASE, this.#id(step === 0)]);
    return true;
  }

  #unlock(client: LoadClient, channel: string): void {
    const latch = `redisson_unlock_latch:{${this.#name}}:${client.uuid}${this.#step}`;
    const id = this.#id(client === this.#first);
    this.#send(client, UNLOCK, [this.#name, channel, latch], ['0', LEASE, id, 'publish', '13500']);
  }

  #send(client: LoadClient, script: Script, keys: readonly string[], args: readonly string[]): void {
    this.#isBusy = true;
    client.commands.send([['EVALSHA', script.sha, String(keys.length), ...keys, ...args]], () => {
      this.#isBusy = false;
    });
  }

  #id(isFirst: boolean): string {
    return `${(isFirst ? this.#first : this.#second).uuid}:${this.#thread}`;
  }
}
