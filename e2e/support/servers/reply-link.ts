import { connect, type Socket } from 'node:net';
import { array } from './fake-redis.ts';

/** The error of a command that certainly did not reach its server. */
export class NotSent extends Error {}

type Waiting = { readonly resolve: (reply: string) => void; readonly reject: (error: Error) => void };

/** A connection to one server, whose replies are passed on as they are (RESP2, one character per byte). */
export class ReplyLink {
  isClosed = false;
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  readonly #onClose: () => void;
  #isOpen = false;
  #rest = '';

  /** `onBytes`: all bytes that arrive are passed to it, and none are parsed as a reply. */
  constructor(port: number, { onClose, onBytes }: { onClose?: () => void; onBytes?: (bytes: Buffer) => void } = {}) {
    this.#onClose = onClose ?? (() => undefined);
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setNoDelay(true);
    this.#socket.on('connect', () => {
      this.#isOpen = true;
    });
    this.#socket.on('data', onBytes ?? ((chunk: Buffer) => this.#read(chunk)));
    this.#socket.on('error', () => undefined).on('close', () => this.close());
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** Sends one command and returns its reply. Rejects with `NotSent` if there was no connection. */
  ask(command: string): Promise<string> {
    if (this.isClosed) return Promise.reject(new NotSent('the connection is closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(command, 'latin1');
    });
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#socket.destroy();
    const reason = this.#isOpen ? new Error('the connection was closed') : new NotSent('no connection');
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
    this.#onClose();
  }

  #read(chunk: Buffer): void {
    this.#rest += chunk.toString('latin1');
    for (let end = endOfReply(this.#rest, 0); end !== undefined; end = endOfReply(this.#rest, 0)) {
      this.#waiting.shift()?.resolve(this.#rest.slice(0, end));
      this.#rest = this.#rest.slice(end);
    }
  }
}

/** A command as a list of texts in RESP. */
export function encode(words: readonly string[]): string {
  return array(words.map((word) => `$${word.length}\r\n${word}\r\n`));
}

/** Where the reply that begins here ends; `undefined` if it is not complete. */
function endOfReply(text: string, at: number): number | undefined {
  const line = text.indexOf('\r\n', at);
  if (line === -1) return undefined;
  const count = Number(text.slice(at + 1, line));
  if (text[at] === '$' && count >= 0) {
    const end = line + 2 + count + 2;
    return end <= text.length ? end : undefined;
  }
  if (text[at] !== '*') return line + 2;
  let end: number | undefined = line + 2;
  for (let n = 0; n < count && end !== undefined; n++) end = endOfReply(text, end);
  return end;
}
