import { commandName, isRight, type Right, type WhyRefused } from '../../../shared/doctor/rights/rights.ts';
import { RedisError, type Reply } from '../connection/reply.ts';
import { steadyMs } from '../connection/surroundings.ts';
import { ReadableKeys } from './readable-keys.ts';

type Words = readonly string[];
/** The commands that were refused for a key, and those that read it. */
type RefusedKey = { readonly first: Words; readonly rights: Set<Right>; readonly readBy: Set<string> };
type Send = (commands: readonly Words[]) => Promise<Reply[]>;

/** If at least this many commands are sent together, two of their keys are tried first. */
const MANY = 20;

/** Where a command has its key, among its words. */
const KEY_AT: Readonly<Record<string, number>> = {
  ...{ type: 1, hlen: 1, hgetall: 1, pttl: 1, hkeys: 1, hrandfield: 1, hscan: 1, getrange: 1 },
  ...{ lrange: 1, llen: 1, zrange: 1, zcard: 1, 'memory|usage': 2 },
};
/** A reply to one of these commands, other than a refusal, shows that the value of its key may be read. */
const PROOFS: ReadonlySet<string> = new Set([
  'hgetall',
  'pttl',
  'hkeys',
  'hrandfield',
  'hscan',
  'getrange',
  'lrange',
  'zrange',
]);

/**
 * What Redis refuses to one user of one server: commands, keys and databases. Every reply arrives here (`heard`).
 * What is known outlives connections.
 *
 * A refused command is not sent again: `ask` answers it with the same error. `tryReads` tries it again at each start,
 * and `retryRefused` every few seconds; a reply without an error then ends the refusal.
 */
export class RefusedRights {
  readonly keys = new ReadableKeys();
  /** The user, as Redis names it. */
  user = 'default';
  readonly #commands = new Map<Right, RedisError>();
  readonly #databases = new Map<string, RedisError>();
  /** The last error for a key. */
  #keyError: RedisError | undefined;
  /** What was refused for each of `keys.samples`: with selectors, other commands may be permitted for the same key. */
  readonly #refusedBy = new Map<string, RefusedKey>();

  /** A connection begins: its tries show which commands are refused now. What is known about keys stays. */
  begin(user: string): void {
    this.user = user;
    this.#commands.clear();
    this.#databases.clear();
  }

  /**
   * Takes the reply to a command. Returns whether it was a refusal. Any other error shows that the command is allowed.
   */
  heard(words: Words, reply: Reply): boolean {
    if (reply instanceof RedisError && isRefusal(reply)) {
      this.#refuse(commandName(words), words, reply);
      return true;
    }
    const isAnyRefused = this.#commands.size > 0 || this.#databases.size > 0 || this.keys.isLimited;
    if (isAnyRefused) this.#allow(commandName(words), words);
    return false;
  }

  /** The commands that are refused, each with the reason. */
  get commands(): ReadonlyMap<Right, WhyRefused> {
    return new Map(
      [...this.#commands].map(([right, error]) => [right, isAbsent(error.message) ? 'no-command' : 'no-permission']),
    );
  }

  get databases(): readonly string[] {
    return [...this.#databases.keys()];
  }

  /** Commands that show whether the first refused keys are still refused. */
  get triesOfSamples(): readonly Words[] {
    return this.keys.samples.map((key) => this.#refusedBy.get(key)?.first ?? ['PTTL', key]);
  }

  /** The commands that were refused for one of `keys.samples`, if another command may read that key. */
  refusedOnlyFor(sample: string): readonly Right[] {
    const refused = this.#refusedBy.get(sample);
    return refused && refused.readBy.size > 0 ? [...refused.rights] : [];
  }

  /** How much is refused: commands, databases, and kinds of keys. */
  get count(): number {
    return this.#commands.size + this.#databases.size + this.keys.samples.length;
  }

  /** Whether a command may be sent, as far as is known. */
  mayRun(right: Right): boolean {
    return !this.#commands.has(right);
  }

  /** Whether a key is known to be readable. `binary`: its name, with one character per byte. */
  mayRead(binary: string): boolean {
    return this.keys.verdictOf(binary, steadyMs()) === 'readable';
  }

  /**
   * The error to answer with instead of sending a command: the one with which Redis refused it before, or, if its key
   * is not known to be readable, the last error for a key. Undefined: the command may be sent.
   */
  refusalOf(words: Words): RedisError | undefined {
    const name = commandName(words);
    const refused = isRight(name) ? this.#commands.get(name) : undefined;
    if (refused) return refused;
    if (name === 'select') return this.#databases.get(words[1] ?? '');
    const key = keyOf(name, words);
    if (key === undefined || this.mayRead(key)) return undefined;
    return this.#keyError;
  }

  /**
   * Sends commands and returns their replies. Commands that were refused before are not sent. If the database is
   * refused, the commands after SELECT would run in another one, so they get the same error.
   */
  async ask(commands: readonly Words[], send: Send): Promise<Reply[]> {
    await this.#tryKeys(commands, send);
    const refusals = withDatabase(commands, (words) => this.refusalOf(words));
    const sent = commands.filter((_, index) => refusals[index] === undefined);
    const answers = sent.length === 0 ? [] : await send(sent);
    let next = 0;
    const replies = commands.map((_, index) => refusals[index] ?? answers[next++] ?? null);
    const wrong = withDatabase(commands, (_, index) => asRefusal(replies[index]));
    return replies.map((reply, index) => wrong[index] ?? reply);
  }

  /**
   * Tries one key of each kind that is not known yet. If no key was ever refused, tries only two of many. If the rights
   * have changed, ACL LOG then gets two entries, not one for each key.
   */
  async #tryKeys(commands: readonly Words[], send: Send): Promise<void> {
    if (!this.keys.isLimited && commands.length < MANY) return;
    const names = new Set(commands.flatMap((words) => keyOf(commandName(words), words) ?? []));
    if (!this.keys.isLimited) {
      const [first, ...others] = names;
      const both = [first, others.at(-1)].filter((name) => name !== undefined);
      if (both.length > 0) await send(both.map((name) => ['PTTL', name]));
    }
    while (this.keys.isLimited) {
      const tries = this.keys.toTry([...names], steadyMs());
      if (tries.length === 0) return;
      for (const name of tries) names.delete(name);
      await send(tries.map((name) => ['PTTL', name]));
    }
  }

  #refuse(name: string, words: Words, error: RedisError): void {
    const key = keyOf(name, words);
    if (/access database/i.test(error.message)) {
      if (name === 'select') this.#databases.set(words[1] ?? '', error);
    } else if (key !== undefined && isKeyRefusal(error)) {
      this.#keyError = error;
      if (isRight(name)) this.#commands.delete(name); // a command is judged before its keys
      this.keys.refuse(key, steadyMs());
      if (this.keys.samples.includes(key)) this.#noteSample(key, name, words);
    } else if (isRight(name)) this.#commands.set(name, error);
  }

  #noteSample(key: string, name: string, first: Words): void {
    const refused = this.#refusedBy.get(key) ?? { first, rights: new Set<Right>(), readBy: new Set<string>() };
    this.#refusedBy.set(key, refused);
    if (isRight(name)) refused.rights.add(name);
    refused.readBy.delete(name);
  }

  #allow(name: string, words: Words): void {
    if (isRight(name)) this.#commands.delete(name);
    if (name === 'select') this.#databases.delete(words[1] ?? '');
    const key = keyOf(name, words);
    if (key === undefined) return;
    const refused = this.#refusedBy.get(key);
    if (refused && commandName(refused.first) !== name) {
      if (isRight(name)) refused.rights.delete(name);
      if (PROOFS.has(name)) refused.readBy.add(name);
      return;
    }
    if (!refused && !PROOFS.has(name)) return;
    this.keys.allow(key);
    if (!this.keys.isLimited) this.#refusedBy.clear();
  }
}

/** The refusal of each command. What follows a refused SELECT is refused too: it would run in another database. */
function withDatabase(
  commands: readonly Words[],
  refusalOf: (words: Words, index: number) => RedisError | undefined,
): (RedisError | undefined)[] {
  let ofDatabase: RedisError | undefined;
  return commands.map((words, index) => {
    const refusal = refusalOf(words, index);
    if (words[0] === 'SELECT') ofDatabase = refusal;
    return refusal ?? ofDatabase;
  });
}

function keyOf(name: string, words: Words): string | undefined {
  const at = KEY_AT[name];
  return at === undefined ? undefined : words[at];
}

/**
 * Whether an error shows that this user lacks a right to a command, key or database, or that this server does not have
 * the command.
 */
export function isRefusal({ message }: RedisError): boolean {
  return message.includes('NOPERM') || isAbsent(message);
}

/** Whether the key of a command is refused, not the command. */
export function isKeyRefusal({ message }: RedisError): boolean {
  return /access (?:a key|one of the keys)/i.test(message);
}

function asRefusal(reply: Reply | undefined): RedisError | undefined {
  return reply instanceof RedisError && isRefusal(reply) ? reply : undefined;
}

/** Whether the server does not have the command: it was renamed or removed, or this version lacks it. */
export function isAbsent(message: string): boolean {
  return /unknown (?:sub)?command/i.test(message);
}
