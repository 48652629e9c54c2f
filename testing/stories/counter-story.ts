import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import type { KeyRead, LineSignal } from '../../shared/signals/signal.ts';
import type { CommandStep } from '../../shared/signals/step.ts';
import type { LockState } from '../../shared/state/lock-state.ts';
import { reduceLock } from '../../shared/state/reduce.ts';

/** The channel of the semaphore `gate`. */
export const SC = 'redisson_sc:{gate}';

/** An interpreter that gets one command a second, with its events and the lock state they lead to. */
export class Watched {
  readonly interpreter: Interpreter;
  readonly events: LockEvent[] = [];
  #ms = 0;

  constructor(hasCommands = true) {
    this.interpreter = new Interpreter({ source: 'redis', hasCommands });
  }

  get now(): number {
    return 1_760_000_000_000 + this.#ms;
  }

  line(client: string | null, words: readonly string[]): LineSignal {
    return { kind: 'line', at: redisTime(this.now * 1000), db: 0, client, words };
  }

  script(by: string, keys: readonly string[], args: readonly string[], ...inner: string[]): LockEvent[] {
    this.#ms += 1000;
    const head = this.line(by, ['EVALSHA', 'f'.repeat(40), String(keys.length), ...keys, ...args]);
    const lines = inner.map((text) => this.line(null, text.split(' ')));
    return this.take({ kind: 'command', head, inner: lines, pushes: [] });
  }

  command(by: string, ...words: string[]): LockEvent[] {
    this.#ms += 1000;
    return this.take({ kind: 'command', head: this.line(by, words), inner: [], pushes: [] });
  }

  read(name: string, companions: NonNullable<KeyRead['companions']>, channel?: string): LockEvent[] {
    this.#ms += 1000;
    const read = {
      db: 0,
      name,
      type: 'string',
      fields: {},
      pttl: -1,
      hasChanged: false,
      subscribers: null,
      companions,
    };
    const reads = [{ ...read, ...(channel === undefined ? {} : { channel }) }];
    return this.take({ kind: 'bookmark', at: redisTime(this.now * 1000), reads });
  }

  push(channel: string, message: string): LockEvent[] {
    this.#ms += 1000;
    return this.take({ kind: 'push', at: redisTime(this.now * 1000), channel, message });
  }

  take(step: Parameters<Interpreter['interpret']>[0] | CommandStep): LockEvent[] {
    const events = this.interpreter.interpret(step);
    this.events.push(...events);
    return events;
  }

  /** The state of the semaphore `gate`, without the events about other locks. */
  ofGate(): LockState | undefined {
    const own = this.events.filter(({ lock }) => lock === 'gate');
    return own.reduce<LockState | undefined>((lock, event) => reduceLock(lock, event), undefined);
  }

  get state(): LockState | undefined {
    return this.events.reduce<LockState | undefined>((lock, event) => reduceLock(lock, event), undefined);
  }
}

/** The semaphore `gate`, set to `count` by a script. */
export function semaphoreOf(count: number): Watched {
  const watched = new Watched();
  const set = `set gate ${count}`;
  watched.script('a:1', ['gate', SC], [String(count), 'PUBLISH'], 'get gate', set, `PUBLISH ${SC} ${count}`);
  return watched;
}
