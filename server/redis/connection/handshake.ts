import { encodeCommand } from './encode-command.ts';
import { type RedisSocket, startTimer, stopTimer, type Timer } from './surroundings.ts';

/** Redis never sends a longer line as a reply to these commands. */
const MOST_OF_REPLY = 4096;
const LF = 10;

/** Commands with replies of one line, before a connection becomes a replication link. */
export class Handshake {
  readonly #socket: RedisSocket;
  #bytes = Buffer.alloc(0);
  #settle: ((line: string | Error) => void) | undefined;

  constructor(socket: RedisSocket) {
    this.#socket = socket;
    socket.once('close', () => this.#settle?.(new Error('the server closed the replication link')));
  }

  /**
   * Sends a command; returns the line of its reply, without CR LF. Rejects if the reply takes longer than `withinMs` or
   * is too long, or if the server closes the connection.
   */
  async ask(words: readonly string[], withinMs: number): Promise<string> {
    let timer: Timer | undefined;
    try {
      const line = await new Promise<string | Error>((resolve) => {
        this.#settle = resolve;
        timer = startTimer(() => resolve(new Error(`no answer to ${words[0]} within ${withinMs} ms`)), withinMs);
        this.#socket.write(encodeCommand(words));
      });
      if (line instanceof Error) throw line;
      return line;
    } finally {
      stopTimer(timer);
      this.#settle = undefined;
    }
  }

  /** Takes the next bytes, which belong to the caller again after the call. */
  read(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    const end = this.#bytes.indexOf(LF);
    if (!this.#settle) return;
    if (end === -1 && this.#bytes.length > MOST_OF_REPLY) return this.#settle(new Error('the reply is not of Redis'));
    if (end === -1) return;
    const line = this.#bytes.toString('latin1', 0, end).trimEnd();
    this.#bytes = this.#bytes.subarray(end + 1);
    const settle = this.#settle;
    this.#settle = undefined;
    settle(line);
  }

  /** The bytes after the newest reply. */
  get rest(): Buffer {
    return this.#bytes;
  }
}
