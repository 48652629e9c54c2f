import { connect, createServer, type Server, type Socket } from 'node:net';

const BLOCKS = /^lockscope:\{(.+)\}:blocks$/;

/** Called when the source `name` is stored up to the line `seq`. */
type OnStored = (name: string, seq: number) => void;

/**
 * Passes bytes between a store writer and its bus, and reads the writer's requests: each XREAD names the block up to
 * which each source is stored.
 */
export class StoredPlaces {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on a free port of 127.0.0.1. */
  static async before(bus: URL, onStored: OnStored): Promise<StoredPlaces> {
    const places = new StoredPlaces(createServer((from) => places.#pass(from, bus, onStored)));
    await new Promise<void>((resolve) => places.#server.listen(0, '127.0.0.1', resolve));
    return places;
  }

  /** The URL that the store writer takes as its bus. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return `redis://127.0.0.1:${address.port}`;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #pass(from: Socket, bus: URL, onStored: OnStored): void {
    const to = connect(Number(bus.port), bus.hostname);
    const commands = new CommandReader();
    from.on('data', (bytes: Buffer) => {
      to.write(bytes);
      for (const words of commands.take(bytes)) notePlaces(words, onStored);
    });
    to.pipe(from);
    for (const socket of [from, to]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        from.destroy();
        to.destroy();
      });
    }
  }
}

function notePlaces(words: readonly string[], onStored: OnStored): void {
  const begin = words.indexOf('STREAMS') + 1;
  if (words[0] !== 'XREAD' || begin === 0) return;
  const half = (words.length - begin) / 2;
  for (let n = 0; n < half; n++) {
    const name = BLOCKS.exec(words[begin + n] ?? '')?.[1];
    const seq = Number(words[begin + half + n]?.split('-')[1]);
    if (name !== undefined) onStored(name, seq);
  }
}

/** Reads commands, each an array of texts, from the bytes of a connection to Redis. */
class CommandReader {
  #text = '';

  /** The commands that are complete. */
  take(bytes: Buffer): string[][] {
    this.#text += bytes.toString('latin1');
    const commands: string[][] = [];
    for (let found = firstCommand(this.#text); found; found = firstCommand(this.#text)) {
      commands.push(found.words);
      this.#text = this.#text.slice(found.end);
    }
    return commands;
  }
}

function firstCommand(text: string): { words: string[]; end: number } | undefined {
  let end = text.indexOf('\r\n');
  if (end < 0) return undefined;
  const count = Number(text.slice(1, end));
  const words: string[] = [];
  end += 2;
  for (let n = 0; n < count; n++) {
    const line = text.indexOf('\r\n', end);
    if (line < 0) return undefined;
    const begin = line + 2;
    const length = Number(text.slice(end + 1, line));
    if (text.length < begin + length + 2) return undefined;
    words.push(text.slice(begin, begin + length));
    end = begin + length + 2;
  }
  return { words, end };
}
