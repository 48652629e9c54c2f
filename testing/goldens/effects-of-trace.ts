import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { EffectsToSignals } from '../../shared/replication/effect-signals.ts';
import type { Effect, EffectGroup } from '../../shared/replication/effects.ts';
import { keyEventFromPush } from '../../shared/signals/keyspace-message.ts';
import type { LineSignal, PushSignal } from '../../shared/signals/signal.ts';
import { isScriptHead, type Step } from '../../shared/signals/step.ts';

/** Commands that a master sends to its replicas as they are. */
const VERBATIM = new Set([
  ...[
    'HSET',
    'HMSET',
    'HINCRBY',
    'HDEL',
    'DEL',
    'UNLINK',
    'PUBLISH',
    'SPUBLISH',
    'PERSIST',
    'RENAME',
    'FLUSHALL',
    'FLUSHDB',
  ],
  ...['RPUSH', 'LPUSH', 'LPOP', 'RPOP', 'LREM', 'ZADD', 'ZREM', 'ZINCRBY', 'INCR', 'DECR', 'INCRBY', 'DECRBY'],
]);

/** Turns a trace into what a master of Redis 7 would have sent to its replicas. */
class EffectsOfTrace {
  readonly #strings = new Set<string>();
  /** When each key ends, in ms. */
  readonly #ends = new Map<string, number>();
  #offset = 0;

  of(step: Step): EffectGroup[] {
    if (step.kind === 'push') return this.#loss(step);
    if (step.kind !== 'command') return [];
    const losses = step.pushes.flatMap((push) => this.#loss(push));
    const lines = isScriptHead(step.head) ? step.inner : [step.head];
    const last = lines.at(-1) ?? step.head;
    return [
      ...losses,
      ...this.#group(
        last.at,
        lines.flatMap((line) => this.#effectOf(line)),
      ),
    ];
  }

  /**
   * The deletion that a master sends when a key has expired or was evicted. The push has the time of the line before
   * it. An expiry is dated at least 50 ms after the end of the lease.
   */
  #loss(push: PushSignal): EffectGroup[] {
    const event = keyEventFromPush(push);
    if (event?.event !== 'expired' && event?.event !== 'evicted') return [];
    const end = event.event === 'expired' ? ((this.#ends.get(event.key) ?? 0) + 50) * 1000 : 0;
    return this.#group(redisTime(Math.max(push.at, end)), [{ db: event.db, words: ['DEL', event.key] }]);
  }

  #group(at: RedisTime, effects: readonly Effect[]): EffectGroup[] {
    this.#offset += effects.length;
    for (const { words } of effects)
      if (words[0] === 'DEL' || words[0] === 'UNLINK') for (const key of words.slice(1)) this.#strings.delete(key);
    for (const { words } of effects) {
      if (words[0] === 'PEXPIREAT') this.#ends.set(words[1] ?? '', Number(words[2]));
      if (words[3] === 'PXAT') this.#ends.set(words[1] ?? '', Number(words[4]));
    }
    return effects.length > 0 ? [{ kind: 'effects', at, offset: this.#offset, effects }] : [];
  }

  #effectOf({ words, at, db }: LineSignal): Effect[] {
    const [name = '', key = '', ...args] = words;
    const command = name.toUpperCase();
    const ms = Math.floor(at / 1000);
    if (VERBATIM.has(command)) return [{ db, words: [command, ...words.slice(1)] }];
    if (command === 'PEXPIRE') return [{ db, words: ['PEXPIREAT', key, String(ms + Number(args[0]))] }];
    if (command === 'EXPIRE') return [{ db, words: ['PEXPIREAT', key, String(ms + 1000 * Number(args[0]))] }];
    if (command !== 'SET') return [];
    const options = args.slice(1).map((word) => word.toUpperCase());
    if (options.includes('NX') && this.#strings.has(key)) return [];
    if (options.includes('XX') && !this.#strings.has(key)) return [];
    this.#strings.add(key);
    const lease = ['PX', 'EX'].flatMap((unit) =>
      options.includes(unit) ? [Number(options[options.indexOf(unit) + 1]) * (unit === 'PX' ? 1 : 1000)] : [],
    );
    return [
      { db, words: ['SET', key, args[0] ?? '', ...(lease[0] === undefined ? [] : ['PXAT', String(ms + lease[0])])] },
    ];
  }
}

/** The events of a trace at level `monitor`, and those of its effects at level `replication`. */
export function playEffects(steps: readonly Step[]): {
  commands: LockEvent[];
  effects: LockEvent[];
} {
  const reference = new Interpreter({ source: 'trace' });
  const interpreter = new Interpreter({ source: 'trace', hasCommands: false });
  const translator = new EffectsToSignals({
    keys: interpreter.keys,
    isNamed: false,
    isWanted: () => true,
    isAbsent: () => true,
    mayEvict: () => false,
    clockErrorMs: () => 0,
  });
  const effects = new EffectsOfTrace();
  const played = { commands: [] as LockEvent[], effects: [] as LockEvent[] };
  for (const step of steps) {
    played.commands.push(...reference.interpret(step));
    for (const group of effects.of(step)) {
      for (const signal of translator.take(group).signals) played.effects.push(...interpreter.interpret(signal));
    }
    if (step.kind === 'command') played.effects.push(...interpreter.interpret({ kind: 'time', at: step.head.at }));
  }
  return played;
}
