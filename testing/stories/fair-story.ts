import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { lockChannel, queueKey, timeoutsKey, waiterChannel } from '../../shared/events/names/names.ts';
import type { LineSignal } from '../../shared/signals/signal.ts';
import type { Step } from '../../shared/signals/step.ts';
import { holderOf, seconds } from './story.ts';

const LOCK = 'orders:42';
const [Q, Z] = [queueKey(LOCK), timeoutsKey(LOCK)];
const LEASE: Millis = 6000;

/**
 * Returns the events of a story of one fair lock. The scripts of `RedissonFairLock` 4.7.0 are played on our own hash,
 * list and sorted set, and the commands that they run are interpreted.
 *
 *   0.000  A waits 300         lock(), or tryLock(300 s): acquires, or enters the queue
 *   1.000  B tries             tryLock()
 *   1.001  B plainly           getLock(), refused: its script does not carry the time
 *   1.001  B subscribes
 *   2.000  A unlocks
 *   2.001  B gives up 300
 *   2.002  C clock 1200        its clock is 1200 s ahead from here on
 *   2.003  - command DEL key
 *   2.004  - command LREM Q 0 B        Q: the queue, Z: the deadlines; `UNSEEN` as the last word: without a line
 */
export function fairStory(text: string): LockEvent[] {
  const interpreter = new Interpreter({ source: 'story' });
  const redis = new FairRedis();
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [time = '', actor = '', ...verb] = line.split(/\s+/);
      const step = redis.run(seconds(Number(time)), actor, verb);
      return step ? interpreter.interpret(step) : [];
    });
}

class FairRedis {
  #hold: { holder: string; count: number; until: RedisTime } | undefined;
  #queue: string[] = [];
  readonly #deadlines = new Map<string, Millis>();
  readonly #clocks = new Map<string, Millis>();
  #ran: string[][] = [];

  run(at: RedisTime, actor: string, [verb = '', ...rest]: readonly string[]): Step | undefined {
    this.#ran = [];
    const holder = holderOf(actor);
    const now = at / 1000 + (this.#clocks.get(actor) ?? 0);
    const wait = Number(rest.at(-1)) * 1000;
    switch (verb) {
      case 'clock':
        this.#clocks.set(actor, wait);
        return undefined;
      case 'waits':
        this.#attempt(holder, at, now, wait);
        return this.#script(at, actor, [LOCK, Q, Z], [LEASE, holder, wait, now]);
      case 'tries':
        this.#attempt(holder, at, now, null);
        return this.#script(at, actor, [LOCK, Q, Z], [LEASE, holder, now, 300_000]);
      case 'plainly': {
        const looks = [
          ['exists', LOCK],
          ['hexists', LOCK, holder],
          ['pttl', LOCK],
        ];
        for (const words of looks) this.#do(...words);
        return this.#script(at, actor, [LOCK], [LEASE, holder]);
      }
      case 'unlocks':
        this.#unlock(holder, at, now);
        return this.#script(at, actor, [LOCK, Q, Z, lockChannel(LOCK)], [0, LEASE, holder, now]);
      case 'gives':
        this.#giveUp(holder, wait);
        return this.#script(at, actor, [Q, Z], [holder, wait]);
      case 'subscribes':
      case 'unsubscribes':
        return plain(at, `${actor}-pubsub`, [verb.slice(0, -1).toUpperCase(), waiterChannel(LOCK, holder)]);
      case 'command':
        this.#edit(rest.map(wordOf));
        return rest.at(-1) === 'UNSEEN' ? undefined : plain(at, 'ops', rest.map(wordOf));
      default:
        throw new Error(`no such verb in fair stories: ${verb}`);
    }
  }

  /** Applies an operator's command to the queue. */
  #edit([name, key, ...args]: readonly string[]): void {
    const [holder = ''] = args.slice(-1);
    if (name === 'LREM' && key === Q) this.#queue = this.#queue.filter((each) => each !== holder);
    if (name === 'LPOP' && key === Q) this.#queue.shift();
    if (name === 'ZREM' && key === Z) this.#deadlines.delete(holder);
    if (name === 'DEL' && key === Q) this.#queue = [];
    if (name === 'DEL' && key === Z) this.#deadlines.clear();
  }

  #attempt(holder: string, at: RedisTime, now: Millis, wait: Millis | null): void {
    this.#evictHeads(now);
    this.#do('exists', LOCK);
    const isFree = this.#isFree(at);
    if (isFree) {
      this.#do('exists', Q);
      const [head] = this.#queue;
      if (head !== undefined) this.#do('lindex', Q, '0');
      if (head === undefined || head === holder) return this.#acquire(holder, at, wait ?? 300_000);
    }
    this.#do('hexists', LOCK, holder);
    if (this.#hold?.holder === holder && !isFree) {
      this.#hold.count++;
      this.#hold.until = plusMillis(at, LEASE);
      this.#do('hincrby', LOCK, holder, '1');
      this.#do('pexpire', LOCK, String(LEASE));
    } else if (wait !== null) this.#enqueue(holder, at, now, wait);
  }

  #acquire(holder: string, at: RedisTime, wait: Millis): void {
    this.#do('lpop', Q);
    this.#do('zrem', Z, holder);
    this.#queue.shift();
    this.#deadlines.delete(holder);
    this.#do('zrange', Z, '0', '-1');
    for (const other of this.#deadlines.keys()) this.#shift(other, -wait);
    this.#hold = { holder, count: 1, until: plusMillis(at, LEASE) };
    this.#do('hset', LOCK, holder, '1');
    this.#do('pexpire', LOCK, String(LEASE));
  }

  #enqueue(holder: string, at: RedisTime, now: Millis, wait: Millis): void {
    this.#do('zscore', Z, holder);
    if (this.#deadlines.has(holder)) return this.#do('pttl', LOCK);
    this.#do('lindex', Q, '-1');
    const last = this.#queue.at(-1);
    if (last === undefined) this.#do('pttl', LOCK);
    else for (const _ of [1, 2]) this.#do('zscore', Z, last);
    const left = this.#hold ? millisBetween(at, this.#hold.until) : 0;
    const ttl = last === undefined ? left : (this.#deadlines.get(last) ?? 0) - now;
    this.#deadlines.set(holder, ttl + wait + now);
    this.#queue.push(holder);
    this.#do('zadd', Z, String(ttl + wait + now), holder);
    this.#do('rpush', Q, holder);
  }

  #unlock(holder: string, at: RedisTime, now: Millis): void {
    this.#evictHeads(now);
    this.#do('exists', LOCK);
    if (this.#isFree(at)) return this.#wakeHead();
    this.#do('hexists', LOCK, holder);
    if (this.#hold?.holder !== holder) return;
    this.#do('hincrby', LOCK, holder, '-1');
    if (--this.#hold.count > 0) return this.#do('pexpire', LOCK, String(LEASE));
    this.#hold = undefined;
    this.#do('del', LOCK);
    this.#wakeHead();
  }

  #wakeHead(): void {
    this.#do('lindex', Q, '0');
    const [head] = this.#queue;
    if (head !== undefined) this.#do('publish', waiterChannel(LOCK, head), '0');
  }

  #giveUp(holder: string, wait: Millis): void {
    this.#do('lrange', Q, '0', '-1');
    const place = this.#queue.indexOf(holder);
    if (place !== -1) for (const other of this.#queue.slice(place + 1)) this.#shift(other, -wait);
    this.#queue = this.#queue.filter((each) => each !== holder);
    this.#deadlines.delete(holder);
    this.#do('zrem', Z, holder);
    this.#do('lrem', Q, '0', holder);
  }

  #evictHeads(now: Millis): void {
    for (;;) {
      this.#do('lindex', Q, '0');
      const [head] = this.#queue;
      if (head === undefined) return;
      this.#do('zscore', Z, head);
      // releases 3.31.0 and later do not evict a head without a deadline
      if ((this.#deadlines.get(head) ?? Number.POSITIVE_INFINITY) > now) return;
      this.#queue.shift();
      this.#deadlines.delete(head);
      this.#do('zrem', Z, head);
      this.#do('lpop', Q);
    }
  }

  #shift(holder: string, ms: Millis): void {
    this.#deadlines.set(holder, (this.#deadlines.get(holder) ?? 0) + ms);
    this.#do('zincrby', Z, String(ms), holder);
  }

  #isFree(at: RedisTime): boolean {
    return this.#hold === undefined || this.#hold.until <= at;
  }

  #do(...words: string[]): void {
    this.#ran.push(words);
  }

  #script(at: RedisTime, actor: string, keys: readonly string[], args: readonly (string | number)[]): Step {
    const words = ['EVALSHA', '0'.repeat(40), String(keys.length), ...keys, ...args.map(String)];
    const inner = this.#ran.map((ran): LineSignal => ({ kind: 'line', at, db: 0, client: null, words: ran }));
    return { kind: 'command', head: line(at, `${actor}-commands`, words), inner, pushes: [] };
  }
}

/** `Q` and `Z` are the keys of the queue, a single letter is an actor. */
function wordOf(word: string): string {
  if (word === 'Q') return Q;
  if (word === 'Z') return Z;
  return /^[A-P]\d*$/.test(word) ? holderOf(word) : word;
}

function plain(at: RedisTime, client: string, words: readonly string[]): Step {
  return { kind: 'command', head: line(at, client, words), inner: [], pushes: [] };
}

function line(at: RedisTime, client: string, words: readonly string[]): LineSignal {
  return { kind: 'line', at: redisTime(at), db: 0, client: `10.0.0.1:${client}`, words };
}
