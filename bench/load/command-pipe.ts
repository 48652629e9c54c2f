import { connect, type Socket } from 'node:net';
import { encodeCommand } from '../../server/redis/connection/encode-command.ts';
import { RedisError, type Reply, RespScanner } from '../../server/redis/connection/resp-scanner.ts';

/** One connection of an application. Commands are sent at once, also before earlier replies have arrived. */
export class CommandPipe {
  readonly #socket: Socket;
  readonly #waiting: ((reply: Reply) => void)[] = [];

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay(true);
    const scanner = new RespScanner({
      onReply: (reply) => this.#waiting.shift()?.(reply),
      onLine: () => {},
      onPush: () => {},
      onDropped: () => {},
      onFault: (fault) => this.#socket.destroy(new Error(`no RESP: ${fault}`)),
    });
    this.#socket.on('data', (chunk) => scanner.feed(chunk));
  }

  /**
   * Sends commands in one write and calls `onReplies` with the last reply. Throws on an error reply: a bench must not
   * measure errors.
   */
  send(commands: readonly (readonly string[])[], onReplies: (last: Reply) => void): void {
    let left = commands.length;
    for (const [name] of commands) {
      this.#waiting.push((reply) => {
        if (reply instanceof RedisError) throw new Error(`${name}: ${reply.message}`);
        if (--left === 0) onReplies(reply);
      });
    }
    this.#socket.write(Buffer.concat(commands.map(encodeCommand)));
  }

  /** Sends one command and returns its reply. */
  ask(...words: string[]): Promise<Reply> {
    return new Promise((resolve) => this.send([words], resolve));
  }

  close(): void {
    this.#socket.destroy();
  }
}
