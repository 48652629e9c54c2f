import { binaryFromText, textFromBinary } from '../../../../shared/base/bytes-text.ts';
import type { Keyspace } from './keyspace.ts';
import { READERS } from './read-commands.ts';
import { plainOf } from './reply.ts';

/** Reads the keys of a simulated server as a client would, but at once, and without an effect: expired keys stay. */
export class ModelCommands {
  readonly #keyspace: () => Keyspace;
  readonly #nowMs: () => number;

  constructor(keyspace: () => Keyspace, nowMs: () => number) {
    this.#keyspace = keyspace;
    this.#nowMs = nowMs;
  }

  async command(...words: string[]): Promise<unknown> {
    const [command = '', name = '', ...rest] = words.map(binaryFromText);
    const { model } = this.#keyspace();
    const look = { model, db: 0, key: model.find(0, name), rest, nowMs: this.#nowMs() };
    const reply = textsOf(plainOf(READERS[command.toLowerCase()]?.(look) ?? null));
    if (command !== 'HGETALL' || !Array.isArray(reply)) return reply;
    return Object.fromEntries(reply.flatMap((field, n) => (n % 2 === 0 ? [[field, reply[n + 1]]] : [])));
  }
}

function textsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textsOf);
  return typeof value === 'string' ? textFromBinary(value) : value;
}
