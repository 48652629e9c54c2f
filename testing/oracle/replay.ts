import { type KeyEvent as Heard, keyEventFromPush } from '../../shared/signals/keyspace-message.ts';
import type { LineSignal, PushSignal } from '../../shared/signals/signal.ts';
import type { CommandStep, Step } from '../../shared/signals/step.ts';
import { CLOCK, isOver } from './ends-of-keys.ts';
import { type Content, type KeyEvent, RedisModel } from './redis-model.ts';

/** A copy of a key at an earlier time. */
export type Copy = { readonly content: Content; readonly expiresAt: number | null };

/** A key that Redis expired. `heardAt` is the time of Redis's message; `undefined` if Redis sent no message. */
export type Loss = {
  readonly db: number;
  readonly name: string;
  readonly key: Copy;
  readonly heardAt: number | undefined;
  /**
   * In microseconds: how much earlier than the computed end the lease may have ended, because its script took this
   * long.
   */
  readonly slack: number;
};

/** One step of a trace with the keys that it used, as they were before it. */
export type Replayed = {
  readonly step: CommandStep | PushSignal;
  readonly losses: readonly Loss[];
  before(name: string): Copy | undefined;
  /** Every key before a FLUSHDB. */
  readonly all: ReadonlyMap<string, Copy>;
  /** Redis refused the last command of the step: no key event followed it. */
  readonly hasFailed: boolean;
  /** Where the model and Redis's own key events disagree. */
  readonly problems: readonly string[];
};

/** Key events of commands that the model does not know, and of keys that do not belong to a lock. */
const UNKNOWN_EVENTS = new Set([
  'xadd',
  'lpush',
  'rpop',
  'sadd',
  'srem',
  'zpopmin',
  'expired',
  'evicted',
  'new',
  'rename_from',
  'rename_to',
]);

/** Replays a trace on a model of Redis, and compares each change with the key event that Redis published for it. */
export class Replay {
  readonly model = new RedisModel();
  readonly #steps: readonly Step[];
  /** Whether Redis publishes each change of a key, and whether it publishes that a key ran out. */
  readonly #hearsChanges: boolean;
  readonly #hearsEnds: boolean;

  /** In microseconds, by key: the longest time for which a script stopped the clock of Redis. */
  readonly #slack = new Map<string, number>();

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    const heard = new Set(steps.flatMap((step) => pushesOf(step).map((push) => heardFrom(push)?.event)));
    this.#hearsChanges = [...heard].some((event) => event !== undefined && event !== 'expired');
    this.#hearsEnds = this.#hearsChanges || heard.has('expired');
  }

  /** Replays the steps one by one. After each, `model` has the keys as the step left them. */
  *all(): Generator<Replayed> {
    const until = timesAfter(this.#steps);
    for (const [n, step] of this.#steps.entries()) {
      if (step.kind === 'push') yield this.#hear(step, until[n] ?? Number.POSITIVE_INFINITY);
      if (step.kind === 'command') yield this.#run(step);
    }
  }

  #hear(step: PushSignal, until: number): Replayed {
    const problems: string[] = [];
    const losses = this.#expireHeard(step, until, problems);
    return { step, losses, before: () => undefined, all: new Map(), hasFailed: false, problems };
  }

  #run(step: CommandStep): Replayed {
    const problems: string[] = [];
    const losses = this.#expireHeard(step, (step.inner[0] ?? step.head).at, problems);
    const lines = step.inner.length > 0 ? step.inner : [step.head];
    losses.push(...(this.#hearsEnds ? [] : this.#expireUnheard(step.head, lines)));
    if (this.#hearsEnds) this.#checkEnds(step.head, lines, problems);
    const isFlush = step.head.words[0]?.toUpperCase() === 'FLUSHDB';
    const before = this.#copies(isFlush ? this.model.names(step.head.db) : namesIn(step), step.head.db);
    const hasFailed = this.#runLines(step, lines, problems);
    return { step, losses, before: (name) => before.get(name), all: before, hasFailed, problems };
  }

  #expireHeard(step: CommandStep | PushSignal, at: number, problems: string[]): Loss[] {
    const losses: Loss[] = [];
    for (const push of pushesOf(step)) {
      const heard = heardFrom(push);
      if (heard?.event !== 'expired' || isForeign(heard.key)) continue;
      const key = this.#take(heard.db, heard.key);
      if (!key) problems.push(`Redis expired ${heard.key}, which the model does not have`);
      else if (key.expiresAt === null || key.expiresAt > at + CLOCK + this.#slackOf(heard.db, heard.key)) {
        problems.push(`Redis expired ${heard.key} at ${at}, the model has it until ${key.expiresAt}`);
      }
      if (key)
        losses.push({
          db: heard.db,
          name: heard.key,
          key,
          heardAt: push.at,
          slack: this.#slackOf(heard.db, heard.key),
        });
    }
    return losses;
  }

  /**
   * Compares the ends of keys: Redis publishes which keys it expires, so a key that is used after its end is a
   * difference between Redis and the model.
   */
  #checkEnds({ at }: LineSignal, lines: readonly LineSignal[], problems: string[]): void {
    for (const { db, words } of lines) {
      const name = words[1] ?? '';
      const end = this.model.find(db, name)?.expiresAt ?? at;
      if (end < at - CLOCK && !isForeign(name)) problems.push(`${name} ran out at ${end}, Redis still has it at ${at}`);
    }
  }

  #expireUnheard({ db, at }: LineSignal, lines: readonly LineSignal[]): Loss[] {
    return this.model.names(db).flatMap((name) => {
      const key = this.model.find(db, name);
      if (!key || isForeign(name) || !isOver(key, name, { at, lines, slack: this.#slackOf(db, name) })) return [];
      this.model.delete(db, name);
      return [{ db, name, key: copyOf(key), heardAt: undefined, slack: this.#slackOf(db, name) }];
    });
  }

  #slackOf(db: number, name: string): number {
    return this.#slack.get(`${db}:${name}`) ?? 0;
  }

  #take(db: number, name: string): Copy | undefined {
    const key = this.model.find(db, name);
    this.model.delete(db, name);
    return key && copyOf(key);
  }

  #copies(names: readonly string[], db: number): Map<string, Copy> {
    const found = names.map((name) => [name, this.model.find(db, name)] as const);
    return new Map(found.flatMap(([name, key]) => (key ? [[name, copyOf(key)] as const] : [])));
  }

  /** Runs the lines of a step. Returns whether Redis refused the last one. */
  #runLines(step: CommandStep, lines: readonly LineSignal[], problems: string[]): boolean {
    const heard = pushesOf(step).flatMap((push) => {
      const event = heardFrom(push);
      return event && isModelled(event) ? [event] : [];
    });
    for (const [n, { db, words, at }] of lines.entries()) {
      const effect = this.model.effectOf(db, words, at);
      const events = effect.events.filter(isModelled);
      const next = heard.slice(0, events.length);
      if (this.#hearsChanges && !isSame(events, next)) {
        if (n === lines.length - 1 && heard.length === 0) return true;
        problems.push(
          `${words.slice(0, 3).join(' ')} at ${at}: Redis published ${wordsOf(next)}, not ${wordsOf(events)}`,
        );
      }
      heard.splice(0, events.length);
      effect.commit();
      this.#slack.set(`${db}:${words[1]}`, Math.max(at - step.head.at, this.#slackOf(db, words[1] ?? '')));
    }
    if (heard.length > 0) problems.push(`at ${step.head.at} Redis published ${wordsOf(heard)} as well`);
    return false;
  }
}

/** A push has no time: it was sent before the next line. Returns the time of the next line for each step. */
function timesAfter(steps: readonly Step[]): number[] {
  let next = Number.POSITIVE_INFINITY;
  return steps
    .toReversed()
    .map((step) => {
      const after = next;
      if (step.kind === 'command') next = step.head.at;
      return after;
    })
    .reverse();
}

function pushesOf(step: Step): readonly PushSignal[] {
  if (step.kind === 'command') return step.pushes;
  return step.kind === 'push' ? [step] : [];
}

function heardFrom(push: PushSignal): Heard | undefined {
  return keyEventFromPush(push);
}

function isModelled({ key, event }: { key: string; event: string }): boolean {
  return !UNKNOWN_EVENTS.has(event) && !isForeign(key);
}

/**
 * BullMQ stores its jobs beside their locks, in data types that this model does not have. Clients of python-redis-lock
 * block at a list, from which Redis itself takes the item.
 */
function isForeign(key: string): boolean {
  return (key.startsWith('bull:') && !key.endsWith(':lock')) || key.startsWith('lock-signal:');
}

function isSame(a: readonly KeyEvent[], b: readonly KeyEvent[]): boolean {
  return a.length === b.length && a.every(({ key, event }, n) => key === b[n]?.key && event === b[n]?.event);
}

function wordsOf(events: readonly KeyEvent[]): string {
  return events.map(({ key, event }) => `${event} ${key}`).join(', ') || 'nothing';
}

/** All names that a step may use: the keys of its script and of its lines. */
function namesIn({ head, inner }: CommandStep): string[] {
  const lines = [head, ...inner];
  const count = Number(head.words[2]);
  const keys = inner.length > 0 && Number.isInteger(count) ? head.words.slice(3, 3 + count) : head.words.slice(1);
  return [...new Set([...keys, ...lines.map(({ words }) => words[1] ?? '')])];
}

function copyOf({ content, expiresAt }: Copy): Copy {
  switch (content.type) {
    case 'hash':
      return { content: { type: 'hash', fields: new Map(content.fields) }, expiresAt };
    case 'list':
      return { content: { type: 'list', items: [...content.items] }, expiresAt };
    case 'zset':
      return { content: { type: 'zset', scores: new Map(content.scores) }, expiresAt };
    case 'string':
      return { content: { ...content }, expiresAt };
  }
}
