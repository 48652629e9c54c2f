import { textFromBinary } from '../../../../shared/base/bytes-text.ts';
import { type RedisTime, redisTime } from '../../../../shared/base/time.ts';
import type { Interpreter } from '../../../../shared/events/interpreter.ts';
import type { Denial, ServerSignal } from '../../../../shared/signals/server-signal.ts';
import { majorVersion } from '../../../redis/connection/capabilities.ts';
import { RedisError, type Reply } from '../../../redis/connection/reply.ts';
import { wallMs } from '../../../redis/connection/surroundings.ts';
import type { LineHole } from '../../../redis/lines/line-holes.ts';
import { type AclEntry, denialsFromLog } from '../../../redis/reads/server-logs.ts';
import type { OrderedFeed } from '../../../redis/stream/ordered-feed.ts';
import { countersFromInfo, riseOf, type ServerCounters } from '../../guard/server-counters.ts';
import { microsOf } from '../../reads/command-cost.ts';
import { ReadBudget } from '../../reads/read-budget.ts';
import { ClientPauses } from './client-pauses.ts';
import { deniedLock } from './denied-locks.ts';
import { type Range, StandstillCauses } from './standstill-causes.ts';

/** The share of Redis's time that these reads may take: 0.05 %. */
const MICROS_PER_SECOND = 500;
const MOST_MICROS = 2000;
const SECTIONS = ['clients', 'errorstats', 'commandstats', 'memory', 'persistence', 'stats', 'replication'];
/** ACL LOG has 128 entries by default. */
const MOST_DENIALS = 128;

type OnStats = (text: string, askedAt: RedisTime) => void;

/** Reads the facts that a server reports about itself, on one connection, and returns those that have changed. */
export class ServerPoll {
  readonly #onStats: OnStats;
  readonly #feed: OrderedFeed;
  readonly #interpreter: Interpreter;
  readonly #pauses: ClientPauses;
  readonly #standstills: StandstillCauses;
  readonly #budget = new ReadBudget(MICROS_PER_SECOND, MOST_MICROS, wallMs());
  #before: (Sample & { readonly at: RedisTime }) | undefined;
  #denials: ReadonlyMap<string, number> | undefined;
  #mayInfo = true;
  #mayAclLog = true;

  /** `onStats` is called with the text of all sections of INFO (`SECTIONS`), and when it was asked for. */
  constructor(feed: OrderedFeed, interpreter: Interpreter, onStats: OnStats = () => {}) {
    this.#onStats = onStats;
    this.#feed = feed;
    this.#interpreter = interpreter;
    const ask = (...commands: (readonly string[])[]) => this.#asked(...commands);
    this.#pauses = new ClientPauses(feed, ask);
    this.#standstills = new StandstillCauses(feed, ask);
  }

  /** Notes a hole in the stream. Each poll finds out the cause of one hole. */
  hole(hole: LineHole): void {
    this.#standstills.hole(hole);
  }

  /** Notes that the previous connection was given up: the next poll finds out whether a slow command was the cause. */
  wasCut(range: Range): void {
    this.#standstills.wasCut(range);
  }

  /** Polls the server. Returns undefined if nothing has changed, or if it may not be polled now. */
  async ask(): Promise<ServerSignal | undefined> {
    if (!this.#mayInfo || this.#budget.pauseMs(wallMs()) > 0) return undefined;
    const at = this.#feed.now();
    const replies = await this.#asked(...this.#questions());
    const texts = replies.filter((reply) => typeof reply === 'string');
    if (texts.length === 0) {
      // While a script blocks the server, it refuses INFO with BUSY. Any other refusal is final.
      this.#mayInfo = replies.some((reply) => reply instanceof RedisError && reply.code === 'BUSY');
      return undefined;
    }
    const before = this.#before;
    const text = texts.join('\r\n');
    this.#onStats(text, at);
    const counted = countersFromInfo(text, this.#feed.capabilities.notifications);
    const resumed = await this.#pauses.take({ at, counters: counted }, before);
    const counters = { ...counted, facts: counted.facts && { ...counted.facts, ...this.#pauses.facts(counted) } };
    const own = new Map(this.#feed.refusals);
    this.#before = { at, counters, own };
    const errors = before ? errorsBetween(before, { counters, own }) : {};
    const isBusy = 'BUSY' in errors || (own.get('BUSY') ?? 0) > (before?.own.get('BUSY') ?? 0);
    const denied = await this.#denied(before === undefined || 'NOPERM' in errors || 'ERR' in errors);
    if (isBusy) this.#standstills.busy = { from: before?.at ?? at, to: this.#feed.now() };
    const stoodStill = resumed ?? (await this.#standstills.next(this.#pauses.called));
    const { facts, usedMemoryBytes, evicted } = counters;
    const evictedNow = before ? Math.max(0, evicted - before.counters.evicted) : 0;
    const isNew = before === undefined || JSON.stringify(facts) !== JSON.stringify(before.counters.facts);
    const isNews = isNew || Object.keys(errors).length > 0 || evictedNow > 0 || denied.length > 0 || stoodStill;
    if (!isNews) return undefined;
    return {
      kind: 'server',
      at: redisTime(Math.max(at, stoodStill?.to ?? at)), // INFO may have waited for the end of the standstill
      since: before?.at ?? null,
      ...(isNew && facts ? { facts } : {}),
      ...(Object.keys(errors).length > 0 ? risesSince(before?.counters, counters, errors) : {}),
      ...(evictedNow > 0 ? { evicted: evictedNow } : {}),
      ...(usedMemoryBytes === null ? {} : { usedMemoryBytes }),
      ...(denied.length > 0 ? { denied } : {}),
      ...(stoodStill ? { stoodStill } : {}),
    };
  }

  /** Since version 7, INFO takes several sections. */
  #questions(): string[][] {
    return majorVersion(this.#feed.capabilities.version) >= 7
      ? [['INFO', ...SECTIONS]]
      : SECTIONS.map((section) => ['INFO', section]);
  }

  async #asked(...commands: (readonly string[])[]): Promise<Reply[]> {
    const replies = await this.#feed.ask(...commands);
    const sections = commands.flatMap(([name, ...words]) =>
      name === 'INFO' ? words.map((word) => ['INFO', word]) : [[name ?? '', ...words]],
    );
    this.#budget.spend(microsOf(sections, replies), wallMs());
    return replies;
  }

  /** The entries of ACL LOG that are about locks and new since the last look. At the first look, no entry is new. */
  async #denied(isDue: boolean): Promise<Denial[]> {
    if (!isDue || !this.#mayAclLog) return [];
    const [reply] = await this.#asked(['ACL', 'LOG', String(MOST_DENIALS)]);
    if (reply instanceof RedisError) {
      this.#mayAclLog = reply.code === 'BUSY';
      return [];
    }
    const counts = new Map<string, number>();
    const newest = new Map<string, AclEntry & { readonly isGuess?: true }>();
    for (const entry of denialsFromLog(reply)) {
      const denied = deniedLock(entry, this.#interpreter);
      if (denied === undefined) continue;
      const key = JSON.stringify([entry.user, entry.reason, entry.context, entry.object.split('{', 1)[0]]);
      if (!newest.has(key)) newest.set(key, denied === 'guess' ? { ...entry, isGuess: true } : entry);
      counts.set(key, (counts.get(key) ?? 0) + entry.count);
    }
    const before = this.#denials;
    this.#denials = counts;
    if (!before) return [];
    return [...newest].flatMap(([key, entry]): Denial[] => {
      const { user, reason, object, context, by, command, name, isGuess } = entry;
      const times = (counts.get(key) ?? 0) - (before.get(key) ?? 0);
      const about = {
        ...(command === undefined ? undefined : { command }),
        ...(name === '' ? undefined : { connection: name }),
        ...(isGuess && { isGuess }),
      };
      return times > 0 ? [{ user, reason, object: textFromBinary(object), context, by, times, ...about }] : [];
    });
  }
}

type Sample = { readonly counters: ServerCounters; readonly own: ReadonlyMap<string, number> };

/** The errors returned between two samples, without those that we, or another reader of keys like us, received. */
function errorsBetween(before: Sample, now: Sample): Record<string, number> {
  const risen = riseOf(before.counters.errors, now.counters.errors);
  const reads = now.counters.failedReads - before.counters.failedReads; // ours are among them
  for (const [name, count] of Object.entries(risen)) {
    const ours = (now.own.get(name) ?? 0) - (before.own.get(name) ?? 0);
    const ofReaders = name === 'WRONGTYPE' ? Math.max(ours, reads) : ours;
    if (count > ofReaders) risen[name] = count - ofReaders;
    else delete risen[name];
  }
  return risen;
}

function risesSince(
  before: ServerCounters | undefined,
  now: ServerCounters,
  errors: Record<string, number>,
): Pick<ServerSignal, 'errors' | 'rejected' | 'failed'> {
  const rejected = riseOf(before?.rejected ?? {}, now.rejected);
  const failed = riseOf(before?.failed ?? {}, now.failed);
  return {
    errors,
    ...(Object.keys(rejected).length > 0 ? { rejected } : {}),
    ...(Object.keys(failed).length > 0 ? { failed } : {}),
  };
}
