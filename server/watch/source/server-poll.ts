import { textFromBinary } from '../../../shared/base/bytes-text.ts';
import { millisBetween, plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Interpreter } from '../../../shared/events/interpreter.ts';
import type { Denial, ServerFacts, ServerSignal, Standstill } from '../../../shared/signals/server-signal.ts';
import { RedisError, type Reply } from '../../redis/connection/reply.ts';
import { wallMs } from '../../redis/connection/surroundings.ts';
import type { LineHole } from '../../redis/lines/line-holes.ts';
import { hasPausedClient, MOST_LISTED_CLIENTS } from '../../redis/reads/client-list.ts';
import { type AclEntry, denialsFromLog, slowFromLog } from '../../redis/reads/server-logs.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import { countersFromInfo, riseOf, type ServerCounters } from '../guard/server-counters.ts';
import { microsOf } from '../reads/command-cost.ts';
import { ReadBudget } from '../reads/read-budget.ts';
import { deniedLock } from './denied-locks.ts';

/** The share of Redis's time that these reads may take: 0.05 %. */
const MICROS_PER_SECOND = 500;
const MOST_MICROS = 2000;
const SECTIONS = ['clients', 'errorstats', 'commandstats', 'memory', 'persistence', 'stats', 'replication'];
const MOST_HOLES = 10;
/** ACL LOG has 128 entries by default. */
const MOST_DENIALS = 128;
/** SLOWLOG has whole seconds. */
const SLACK_SECONDS = 2;
/** After a CLIENT PAUSE, and after a client last waited, how long the list of clients is searched for one that waits. */
const LOOKED_FOR_MS = 60_000;
/** The end of a pause that two reports show differs by less than this. */
const SAME_END_MS = 1000;
/** A slow command explains a hole only if it took at least this share of it. */
const COVERED = 0.7;
/** A connection is given up after 10 s without an answer: only a slow command that took about this long explains it. */
const CUT_BY_MICROS = 9_000_000;
/** SLOWLOG leaves open in which part of a second such a command ended, and our clock may be off by the rest. */
const CUT_SLACK_MICROS = 1_500_000;

type Range = Pick<LineHole, 'from' | 'to'>;

/** Reads the facts that a server reports about itself, on one connection, and returns those that have changed. */
export class ServerPoll {
  readonly #onStats: (text: string) => void;
  readonly #feed: OrderedFeed;
  readonly #interpreter: Interpreter;
  readonly #budget = new ReadBudget(MICROS_PER_SECOND, MOST_MICROS, wallMs());
  #before:
    | { readonly at: RedisTime; readonly counters: ServerCounters; readonly own: ReadonlyMap<string, number> }
    | undefined;
  #holes: LineHole[] = [];
  #cut: Range | undefined;
  /** When BUSY was last returned: between two samples. A hole may become known only after that. */
  #busy: { readonly from: RedisTime; readonly to: RedisTime } | undefined;
  /** Between which samples CLIENT PAUSE was called last. */
  #pauseCalled: { readonly from: RedisTime; readonly to: RedisTime } | undefined;
  /** When a CLIENT PAUSE was noticed, or last made a client wait. */
  #lookFrom: RedisTime | undefined;
  /** The pause that makes clients wait, and when that was last seen. */
  #pause: (Pick<ServerFacts, 'pausedUntil'> & { readonly pausedSince: RedisTime }) | undefined;
  #pauseSeenAt = redisTime(0);
  #denials: ReadonlyMap<string, number> | undefined;
  #mayInfo = true;
  #mayAclLog = true;
  #maySlowLog = true;

  /** `onStats` is called with the text of INFO commandstats and stats. */
  constructor(feed: OrderedFeed, interpreter: Interpreter, onStats: (text: string) => void = () => {}) {
    this.#onStats = onStats;
    this.#feed = feed;
    this.#interpreter = interpreter;
  }

  /** Notes a hole in the stream: the next poll finds out the cause. */
  hole({ from, to, isOfClients }: LineHole): void {
    if (this.#holes.length >= MOST_HOLES) return;
    const whole = (at: RedisTime) => redisTime(Math.round(at)); // a recording takes whole microseconds
    this.#holes.push({ from: whole(from), to: whole(to), isOfClients });
  }

  /** Notes that the previous connection was given up: the next poll finds out whether a slow command was the cause. */
  wasCut(range: Range): void {
    this.#cut = range;
  }

  /** Polls the server. Returns undefined if nothing has changed, or if it may not be polled now. */
  async ask(): Promise<ServerSignal | undefined> {
    if (!this.#mayInfo || this.#budget.pauseMs(wallMs()) > 0) return undefined;
    const at = this.#feed.now();
    const replies = await this.#asked(...this.#questions());
    const texts = replies.filter((reply) => typeof reply === 'string');
    if (texts.length === 0) {
      // Refused for now while a script blocks the server, else for good.
      this.#mayInfo = replies.some((reply) => reply instanceof RedisError && reply.code === 'BUSY');
      return undefined;
    }
    const before = this.#before;
    const text = texts.join('\r\n');
    this.#onStats(text);
    const counted = countersFromInfo(text, this.#feed.capabilities.notifications);
    const resumed = await this.#pausedAt(at, counted);
    const arePausesUnseen = this.#seesPauses(counted) ? undefined : { arePausesUnseen: true as const };
    const counters = { ...counted, facts: counted.facts && { ...counted.facts, ...this.#pause, ...arePausesUnseen } };
    const own = new Map(this.#feed.refusals);
    this.#before = { at, counters, own };
    const errors = before ? errorsBetween(before, { counters, own }) : {};
    const isBusy = 'BUSY' in errors || (own.get('BUSY') ?? 0) > (before?.own.get('BUSY') ?? 0);
    const denied = await this.#denied(before === undefined || 'NOPERM' in errors || 'ERR' in errors);
    if (isBusy) this.#busy = { from: before?.at ?? at, to: this.#feed.now() };
    const stoodStill = resumed ?? (await this.#cutBySlow()) ?? (await this.#standstill());
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

  /**
   * Notes whether a CLIENT PAUSE makes clients wait, and returns one that has ended. Redis does not report it: after a call of CLIENT
   * PAUSE, its list of clients shows it.
   */
  async #pausedAt(at: RedisTime, { pauses, pausedForMs, connected }: ServerCounters): Promise<Standstill | undefined> {
    const before = this.#before;
    const now = this.#feed.now();
    if (pauses > (before?.counters.pauses ?? 0)) this.#lookFrom = now; // also before the first report: the pause may still last
    if (before && pauses > before.counters.pauses) this.#pauseCalled = { from: before.at, to: now };
    const last = this.#pause;
    const mayBe =
      last !== undefined || (this.#lookFrom !== undefined && at < plusMillis(this.#lookFrom, LOOKED_FOR_MS));
    const isPaused = pausedForMs === null ? mayBe && (await this.#hasPaused(connected)) : pausedForMs > 0;
    if (isPaused) {
      this.#pauseSeenAt = at;
      this.#lookFrom = at;
      const until = pausedForMs === null ? undefined : plusMillis(at, pausedForMs);
      const isSame = until !== undefined && Math.abs(millisBetween(last?.pausedUntil ?? at, until)) < SAME_END_MS;
      const pausedUntil = isSame ? last?.pausedUntil : until;
      this.#pause = {
        pausedSince: last?.pausedSince ?? at,
        ...(pausedUntil === undefined ? undefined : { pausedUntil }),
      };
      return undefined;
    }
    this.#pause = undefined;
    if (!last) return undefined;
    const to = redisTime(Math.min(at, last.pausedUntil ?? this.#pauseSeenAt));
    return { from: last.pausedSince, to, command: 'CLIENT PAUSE', shownBy: 'pause', isOfWrites: true };
  }

  /** Before version 7, INFO counts no calls of CLIENT PAUSE. */
  #seesPauses({ pausedForMs, connected }: ServerCounters): boolean {
    return pausedForMs !== null || (this.#major >= 7 && this.#mayList(connected));
  }

  #mayList(connected: number): boolean {
    return connected <= MOST_LISTED_CLIENTS && this.#feed.capabilities.canListClients;
  }

  get #major(): number {
    return Number(this.#feed.capabilities.version.split('.')[0]);
  }

  async #hasPaused(connected: number): Promise<boolean> {
    if (!this.#mayList(connected)) return false;
    const [reply] = await this.#asked(['CLIENT', 'LIST']);
    return typeof reply === 'string' && hasPausedClient(reply);
  }

  /** Since version 7, INFO takes several sections. */
  #questions(): string[][] {
    return this.#major >= 7 ? [['INFO', ...SECTIONS]] : SECTIONS.map((section) => ['INFO', section]);
  }

  async #asked(...commands: string[][]): Promise<Reply[]> {
    const replies = await this.#feed.ask(...commands);
    const sections = commands.flatMap(([name, ...words]) =>
      name === 'INFO' ? words.map((word) => ['INFO', word]) : [[name ?? '', ...words]],
    );
    this.#budget.spend(microsOf(sections, replies), wallMs());
    return replies;
  }

  /** The entries of ACL LOG about locks that are new since the last look; those before the first look are old. */
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

  /** The cause of the last hole in the stream, if the server did not run commands. */
  async #standstill(): Promise<Standstill | undefined> {
    const hole = this.#holes.shift();
    if (!hole) return undefined;
    const slow = await this.#slowIn(hole);
    const { from, to, isOfClients } = hole;
    if (slow) return { from, to, command: slow.command, by: slow.by, shownBy: 'slow-log' };
    const busy = this.#busy;
    if (busy && from < busy.to && to > busy.from) return { from, to, shownBy: 'busy' };
    const called = this.#pauseCalled;
    if (called && from < called.to && to > called.from) {
      return { from, to, command: 'CLIENT PAUSE', shownBy: 'pause' };
    }
    return isOfClients ? { from, to, shownBy: 'clients' } : undefined;
  }

  async #slowIn({ from, to }: Range) {
    return (await this.#slowCommands()).find(
      ({ endedAt, micros }) =>
        Math.abs(this.#timeOf(endedAt) - to) <= SLACK_SECONDS * 1_000_000 && micros >= (to - from) * COVERED,
    );
  }

  /** The command for which the last connection was given up: it ran after the last that was seen. */
  async #cutBySlow(): Promise<Standstill | undefined> {
    const cut = this.#cut;
    this.#cut = undefined;
    if (!cut || cut.to - cut.from < CUT_BY_MICROS) return undefined;
    for (const { endedAt, micros, command, by } of await this.#slowCommands()) {
      // SLOWLOG has whole seconds: it ended up to 1 s later, so it did not begin before this
      const began = this.#timeOf(endedAt) - micros;
      const isInCut = began >= cut.from - CUT_SLACK_MICROS && began + micros <= cut.to;
      if (!isInCut || micros < CUT_BY_MICROS) continue;
      const from = Math.max(cut.from, began);
      const to = Math.min(cut.to, from + micros, this.#timeOf(endedAt + 1));
      return { from: redisTime(from), to: redisTime(to), command, by, shownBy: 'slow-log' };
    }
    return undefined;
  }

  async #slowCommands() {
    if (!this.#maySlowLog) return [];
    const [reply] = await this.#asked(['SLOWLOG', 'GET', '16']);
    if (reply instanceof RedisError) this.#maySlowLog = reply.code === 'BUSY';
    return slowFromLog(reply);
  }

  /** The time of a second by Redis's clock. */
  #timeOf(second: number): number {
    return second * 1_000_000 + this.#feed.setBack;
  }
}

type Sample = { readonly counters: ServerCounters; readonly own: ReadonlyMap<string, number> };

/** The errors returned between two samples, without those that we received ourselves, or another reader of keys like us. */
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
