import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { readTimeoutKey, readWriteChannel } from '../../shared/events/names/names.ts';
import type { LineSignal } from '../../shared/signals/signal.ts';
import type { CommandStep, Step } from '../../shared/signals/step.ts';
import { holderOf, seconds } from './story.ts';

const LOCK = 'catalog';
const CHANNEL = readWriteChannel(LOCK);
const LEASE: Millis = 6000;

/**
 * Returns the events of a story of one read-write lock. The scripts of `RedissonReadWriteLock` 4.7.0 are played on our
 * own hash and timeout keys, and the commands that they run are interpreted.
 *
 *   0.000  A reads              lock() of the read lock: acquires, joins, re-enters, or is refused
 *   0.100  B writes
 *   0.101  B subscribes
 *   1.000  A unlocks read       or `write`
 *   2.000  A renews read        or `write`, or `all`: every reader, as releases up to 3.43.0 do
 *   3.000  - command DEL catalog
 */
export function readWriteStory(text: string): LockEvent[] {
  const interpreter = new Interpreter({ source: 'story' });
  return stepsOfReadWriteStory(text).flatMap((step) => interpreter.interpret(step));
}

/** The steps of a story about a read-write lock. */
function stepsOfReadWriteStory(text: string): Step[] {
  const redis = new ReadWriteRedis();
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [time = '', actor = '', ...verb] = line.split(/\s+/);
      return redis.run(seconds(Number(time)), actor, verb);
    });
}

class ReadWriteRedis {
  #mode: 'read' | 'write' | undefined;
  readonly #counts = new Map<string, number>();
  readonly #timeouts = new Map<string, RedisTime>();
  #endsAt: RedisTime = redisTime(0);
  #ran: string[][] = [];

  run(at: RedisTime, actor: string, [verb = '', what = '', ...rest]: readonly string[]): CommandStep {
    this.#ran = [];
    this.#forgetOver(at);
    const holder = holderOf(actor);
    const field = what === 'write' || verb === 'writes' ? `${holder}:write` : holder;
    const timeouts = readTimeoutKey(LOCK, holder, 1).slice(0, -2);
    switch (verb) {
      case 'reads':
        this.#read(holder, at);
        return this.#script(at, actor, [LOCK, timeouts], [LEASE, holder, `${holder}:write`]);
      case 'writes':
        this.#write(field, at);
        return this.#script(at, actor, [LOCK], [LEASE, field]);
      case 'unlocks':
        this.#unlock(holder, field, at);
        return what === 'write'
          ? this.#script(at, actor, [LOCK, CHANNEL], [1, LEASE, field, 'PUBLISH'])
          : this.#script(at, actor, [LOCK, CHANNEL, timeouts, `{${LOCK}}`], [0, field, 'PUBLISH']);
      case 'renews':
        return what === 'all' ? this.#renewAll(holder, at, actor) : this.#renew(holder, field, at, actor);
      case 'subscribes':
        return { kind: 'command', head: line(at, `${actor}-pubsub`, ['SUBSCRIBE', CHANNEL]), inner: [], pushes: [] };
      case 'command':
        return { kind: 'command', head: line(at, actor, [what, ...rest]), inner: [], pushes: [] };
      default:
        throw new Error(`no such verb in stories of read-write locks: ${verb}`);
    }
  }

  #read(holder: string, at: RedisTime): void {
    this.#did('hget', LOCK, 'mode');
    const isOwn = this.#counts.has(`${holder}:write`);
    if (this.#mode === 'write') this.#did('hexists', LOCK, `${holder}:write`);
    if (this.#mode === 'write' && !isOwn) return this.#did('pttl', LOCK);
    const count = (this.#counts.get(holder) ?? 0) + 1;
    const isFirst = this.#mode === undefined;
    if (isFirst) {
      this.#did('hset', LOCK, 'mode', 'read');
      this.#did('hset', LOCK, holder, '1');
    } else this.#did('hincrby', LOCK, holder, '1');
    this.#mode ??= 'read';
    this.#counts.set(holder, count);
    const key = readTimeoutKey(LOCK, holder, count);
    this.#did('set', key, '1');
    this.#did('pexpire', key, String(LEASE));
    this.#timeouts.set(key, plusMillis(at, LEASE));
    if (!isFirst) this.#did('pttl', LOCK);
    this.#expire(at, isFirst ? LEASE : Math.max(millisBetween(at, this.#endsAt), LEASE));
  }

  #write(field: string, at: RedisTime): void {
    this.#did('hget', LOCK, 'mode');
    if (this.#mode === 'read') return this.#did('pttl', LOCK);
    const count = (this.#counts.get(field) ?? 0) + 1;
    if (this.#mode === 'write') {
      this.#did('hexists', LOCK, field);
      if (count === 1) return this.#did('pttl', LOCK);
      this.#did('hincrby', LOCK, field, '1');
      this.#did('pttl', LOCK);
    } else {
      this.#did('hset', LOCK, 'mode', 'write');
      this.#did('hset', LOCK, field, '1');
    }
    this.#mode = 'write';
    this.#counts.set(field, count);
    this.#expire(at, count === 1 ? LEASE : millisBetween(at, this.#endsAt) + LEASE);
  }

  #unlock(holder: string, field: string, at: RedisTime): void {
    const isWrite = field !== holder;
    const message = isWrite ? '1' : '0';
    this.#did('hget', LOCK, 'mode');
    if (this.#mode === undefined) return this.#did('PUBLISH', CHANNEL, message);
    if (isWrite && this.#mode === 'read') return;
    this.#did('hexists', LOCK, field);
    const count = (this.#counts.get(field) ?? 0) - 1;
    if (count < 0) return;
    this.#did('hincrby', LOCK, field, '-1');
    this.#counts.set(field, count);
    if (isWrite && count > 0) return this.#expire(at, LEASE);
    if (count === 0) {
      this.#did('hdel', LOCK, field);
      this.#counts.delete(field);
    }
    if (!isWrite) {
      this.#did('del', readTimeoutKey(LOCK, holder, count + 1));
      this.#timeouts.delete(readTimeoutKey(LOCK, holder, count + 1));
    }
    this.#did('hlen', LOCK);
    if (this.#counts.size > 0) {
      if (isWrite) {
        this.#mode = 'read';
        return this.#did('hset', LOCK, 'mode', 'read');
      }
      this.#did('hkeys', LOCK);
      this.#did('hget', LOCK, 'mode');
      for (const each of this.#counts.keys()) this.#did('hget', LOCK, each);
      const left = Math.max(0, ...[...this.#timeouts.values()].map((end) => millisBetween(at, end)));
      if (left > 0) return this.#expire(at, left);
      if (this.#mode === 'write') return;
    }
    this.#did('del', LOCK);
    this.#did('PUBLISH', CHANNEL, message);
    this.#mode = undefined;
    this.#counts.clear();
  }

  #renew(holder: string, field: string, at: RedisTime, actor: string): CommandStep {
    const count = this.#counts.get(field) ?? 0;
    if (field !== holder) {
      this.#did('hexists', LOCK, field);
      if (count > 0) this.#expire(at, LEASE);
      return this.#script(at, actor, [LOCK], [LEASE, field]);
    }
    this.#did('hget', LOCK, holder);
    for (let n = count; n > 0; n--) {
      this.#did('pexpire', readTimeoutKey(LOCK, holder, n), String(LEASE));
      this.#timeouts.set(readTimeoutKey(LOCK, holder, n), plusMillis(at, LEASE));
    }
    if (count > 0) this.#expire(at, LEASE);
    return this.#script(at, actor, [LOCK, `{${LOCK}}`], [LEASE, 1, holder]);
  }

  #renewAll(holder: string, at: RedisTime, actor: string): CommandStep {
    this.#did('hget', LOCK, holder);
    this.#expire(at, LEASE);
    this.#did('hlen', LOCK);
    this.#did('hkeys', LOCK);
    for (const [reader, count] of this.#counts) {
      this.#did('hget', LOCK, reader);
      for (let n = count; n > 0; n--) {
        this.#did('pexpire', readTimeoutKey(LOCK, reader, n), String(LEASE));
        this.#timeouts.set(readTimeoutKey(LOCK, reader, n), plusMillis(at, LEASE));
      }
    }
    return this.#script(at, actor, [LOCK, `{${LOCK}}`], [LEASE, holder]);
  }

  #expire(at: RedisTime, ms: Millis): void {
    this.#did('pexpire', LOCK, String(Math.round(ms)));
    this.#endsAt = plusMillis(at, Math.round(ms));
  }

  #forgetOver(at: RedisTime): void {
    for (const [key, end] of this.#timeouts) if (end <= at) this.#timeouts.delete(key);
    if (this.#endsAt > at) return;
    this.#mode = undefined;
    this.#counts.clear();
  }

  #did(...words: string[]): void {
    this.#ran.push(words);
  }

  #script(at: RedisTime, actor: string, keys: string[], args: (string | number)[]): CommandStep {
    const head = ['EVALSHA', '0'.repeat(40), String(keys.length), ...keys, ...args.map(String)];
    const inner = this.#ran.map((words): LineSignal => ({ ...line(at, actor, words), client: null }));
    return { kind: 'command', head: line(at, `${actor}-commands`, head), inner, pushes: [] };
  }
}

function line(at: RedisTime, client: string, words: readonly string[]): LineSignal {
  return { kind: 'line', at, db: 0, client: `10.0.0.1:${client}`, words };
}
