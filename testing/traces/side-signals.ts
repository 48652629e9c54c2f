import { millisBetween, plusMillis, type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { Counts, Denial, ServerFacts } from '../../shared/signals/server-signal.ts';
import type { ClientRow, ClientsSignal, KeyRead, LineSignal, Signal } from '../../shared/signals/signal.ts';

/** What CLIENT LIST, INFO and reads of keys showed at one instant of a trace: `NAME.side.json` beside it. */
type Moment = {
  readonly label: string;
  readonly at: number;
  /** Address, name, library, age and idle time in seconds, without the connections of the recorder. */
  readonly clients: readonly (readonly [string, string, string, number, number])[];
  readonly errors?: Counts;
  readonly rejected?: Counts;
  readonly failed?: Counts;
  readonly usedMemoryBytes?: number;
  /** What ACL LOG had since the moment before. */
  readonly denied?: readonly Denial[];
  readonly facts?: Partial<ServerFacts>;
  /** What the keys of locks had. Lockscope reads them as well, for example after a restart. */
  readonly reads?: readonly Pick<KeyRead, 'name' | 'type' | 'pttl' | 'fields'>[];
};
export type Side = {
  /**
   * Whether the incident happens in the trace. False: the same steps were played with a version that is not affected.
   */
  readonly occurs: boolean;
  readonly moments: readonly Moment[];
};

const MARK = '# side ';
/** Remarks about processes that end. */
const ENDS = /killed|die$|dies|stopped/;
const UNKNOWN: ServerFacts = {
  role: 'master',
  replicas: 0,
  replicaLagSeconds: null,
  maxMemoryBytes: null,
  evictionPolicy: null,
  canSave: null,
  keyEvents: null,
};

/**
 * Signals from the file beside a trace, at its marks: a client list, a report of the server, and what was in keys.
 *
 * A trace has few lists, often none before a client dies. Lockscope would have asked for one soon after the client
 * appeared, so a list of the connections that the lines have shown is made instead.
 */
export class SideSignals {
  readonly #moments: Moment[];
  readonly #seen = new Map<string, { since: RedisTime; last: RedisTime; name: string }>();
  #before: Moment | undefined;
  #beganAt: RedisTime | undefined;
  #hasList = false;

  constructor({ moments }: Side) {
    this.#moments = [...moments];
  }

  /** Takes the next line of the trace. */
  takeLine({ client, at, words }: LineSignal): void {
    this.#beganAt ??= at;
    if (client === null) return;
    const known = this.#seen.get(client) ?? { since: at, last: at, name: '' };
    const isNamed = words[0] === 'CLIENT' && words[1] === 'SETNAME';
    this.#seen.set(client, { ...known, last: at, name: isNamed ? (words[2] ?? '') : known.name });
  }

  /** The signals at a remark. `at`: the time of the newest line before it. */
  at(remark: string, at: RedisTime): Signal[] {
    if (!remark.startsWith(MARK)) return ENDS.test(remark) && !this.#hasList ? [this.#seenSoFar(at)] : [];
    const moment = this.#moments.shift();
    if (moment?.label !== remark.slice(MARK.length)) throw new Error(`no moment for ${remark}`);
    this.#hasList = true;
    return this.#signalsOf(moment);
  }

  #seenSoFar(at: RedisTime): ClientsSignal {
    this.#hasList = true;
    const clients = [...this.#seen].flatMap(([address, { since, last, name }]): ClientRow[] => {
      if (name === 'side' || name === 'observer') return [];
      const [ageSeconds, idleSeconds] = [secondsBetween(since, at), secondsBetween(last, at)];
      return [{ address, name, library: '', ageSeconds, idleSeconds }];
    });
    return { kind: 'clients', at, clients };
  }

  #signalsOf(moment: Moment): Signal[] {
    const at = redisTime(moment.at);
    const clients = moment.clients.map(([address, name, library, ageSeconds, idleSeconds]) => ({
      address,
      name,
      library,
      ageSeconds,
      idleSeconds,
    }));
    const { errors, rejected, failed, usedMemoryBytes, denied, facts } = moment;
    const before = this.#before;
    this.#before = moment;
    const report: Signal = {
      kind: 'server',
      at,
      since: before ? redisTime(before.at) : (this.#beganAt ?? plusMillis(at, -1)),
      ...(facts ? { facts: { ...UNKNOWN, ...facts } } : {}),
      errors: rise(before?.errors, errors),
      rejected: rise(before?.rejected, rejected),
      failed: rise(before?.failed, failed),
      ...(usedMemoryBytes === undefined ? {} : { usedMemoryBytes }),
      ...(denied === undefined ? {} : { denied }),
    };
    const reads = (moment.reads ?? []).map((read) => ({ db: 0, hasChanged: false, subscribers: null, ...read }));
    const found: Signal[] = reads.length > 0 ? [{ kind: 'bookmark', at, reads }] : [];
    return [{ kind: 'clients', at, clients }, report, ...found];
  }
}

/** By how much each counter rose. Empty if no counter rose, or if they were not recorded. */
function rise(before: Counts = {}, now: Counts = {}): Counts {
  const risen = Object.entries(now).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(risen.filter(([, by]) => by > 0));
}

function secondsBetween(from: RedisTime, to: RedisTime): number {
  return Math.floor(millisBetween(from, to) / 1000);
}
