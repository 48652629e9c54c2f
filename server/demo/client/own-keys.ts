/** On a Redis with other keys, every lock name of the demo begins with this. */
export const DEMO_PREFIX = 'lockscope-demo:';

/** A demo client may not send this: the command, or one of its keys, is not the demo's. */
export class ForeignCommand extends Error {
  override readonly name = 'ForeignCommand';
}

type Word = string | number | Buffer;
type KeysOf = (args: readonly Word[]) => readonly Word[];

const all: KeysOf = (args) => args;
const first: KeysOf = ([key = '']) => [key];
const none: KeysOf = () => [];
const ofScript: KeysOf = ([, count = 0, ...args]) => args.slice(0, Number(count));

/** Every command that the demo sends, and which arguments are keys or channels. Any other command is refused. */
const COMMANDS: Readonly<Record<string, KeysOf>> = {
  DEL: all,
  EVAL: ofScript,
  EVALSHA: ofScript,
  EXISTS: all,
  GET: first,
  PEXPIREAT: first,
  PUBLISH: first,
  'SCRIPT LOAD': none,
  SUBSCRIBE: all,
  TIME: none,
  ROLE: none,
  UNSUBSCRIBE: all,
};

/** Redisson's prefixes of companion keys and channels, for example in `redisson_lock__channel:{orders:42}`. */
const BESIDE =
  /^redisson_(?:lock__channel|lock_queue|lock_timeout|lock_token|unlock_latch|rwlock|sc):|^redisson_countdownlatch__channel__/;

/** True if a key or channel belongs to a lock name with this prefix. Always true if the prefix is empty. */
export function isOwnKey(prefix: string, key: string): boolean {
  return key.replace(BESIDE, '').replace(/^\{/, '').startsWith(prefix);
}

/** Throws `ForeignCommand` unless this is a command of the demo on keys of the demo. */
export function expectOwn(prefix: string, command: string, args: readonly Word[]): void {
  const word = command.toUpperCase();
  const keysOf = COMMANDS[word === 'SCRIPT' ? `SCRIPT ${String(args[0]).toUpperCase()}` : word];
  if (!keysOf) throw new ForeignCommand(`The demo does not send ${word}.`);
  const foreign = keysOf(args).find((key) => !isOwnKey(prefix, String(key)));
  if (foreign !== undefined) throw new ForeignCommand(`The key ${foreign} does not begin with ${prefix}.`);
}
