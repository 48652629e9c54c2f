import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import type { Capabilities } from '../connection/capabilities.ts';
import { NotPermitted } from '../connection/problem.ts';
import type { RawConnection } from '../connection/raw-connection.ts';
import { answerOf, type Reply } from '../connection/reply.ts';
import { random, steadyMs } from '../connection/surroundings.ts';
import type { LineReader } from '../lines/line-reader.ts';
import type { KeyToRead } from '../reads/key-reads.ts';
import { EffectStream } from '../replication/effect-stream.ts';
import type { RefusedRights } from '../rights/refused-rights.ts';
import { blockOf } from '../rights/rights-report.ts';
import { retryRefused } from '../rights/try-reads.ts';
import { BookmarkReads } from './bookmark-reads.ts';
import type { FeedSink } from './feed-sink.ts';
import { Heartbeat, type Pulse } from './heartbeat.ts';
import { type Connections, openConnections, type Permits } from './open-connections.ts';
import { OrderedStream } from './ordered-stream.ts';
import { beginMonitor } from './push-order.ts';
import { ClockWasSet, RedisClock } from './redis-clock.ts';

type Asked = {
  readonly url: RedisUrl;
  readonly level: ObserveLevel;
  readonly lines: LineReader;
  readonly sink: FeedSink;
  /** The clock of this server, already measured. */
  readonly redisClock: RedisClock;
  readonly rights: RefusedRights;
};

const NOTHING = { bytes: 0, commands: 0 };
const clock = () => steadyMs();
/** Without lines, a reply to a beat that takes this long counts as a hole in the stream. */
const SLOW_BEAT_MS = 1000;

/**
 * Everything that Redis sends, in one order.
 * One RESP3 connection carries pushes and, at level `monitor`, MONITOR. Keys are read at a bookmark: the reads end
 * with `ECHO mark`, and the reply counts exactly where that line is in the stream, whenever the reply arrives.
 *
 *   stream   … line · push · ECHO mark1 │ line · line …        (held here until the reply of mark1 is in)
 *   reply                               └ the content of the keys at this place
 *
 * At levels `events` and `snapshot` the reads use the same connection, on which replies and pushes have one order
 * anyway. At level `replication` a read is placed by its offset.
 */
export class OrderedFeed {
  capabilities: Capabilities;
  /** Whether this server writes a push before the line of the command that caused it. */
  isPushFirst = true;
  /** Redis time from which nothing is missed. */
  startedAt: RedisTime = redisTime(0);
  /** The commands, keys and databases that Redis refuses to the user. */
  readonly rights: RefusedRights;
  readonly #level: ObserveLevel;
  readonly #db: number;
  readonly #stream: RawConnection;
  /** The connection for reads: a second one at level `monitor`, else the stream itself. */
  readonly #reader: RawConnection;
  readonly #clock: RedisClock;
  readonly #lines: LineReader;
  readonly #sink: FeedSink;
  readonly #order: OrderedStream;
  readonly #reads: BookmarkReads;
  /** What the master did, at level `replication`. */
  readonly #effects: EffectStream | undefined;
  #isClosed = false;
  readonly #nonce = random().toString(36).slice(2, 10);
  readonly #heartbeat: Heartbeat;
  readonly #clientIds: readonly number[];

  private constructor(parts: Connections & Asked) {
    this.#level = parts.level;
    this.#db = parts.url.db;
    this.rights = parts.rights;
    this.#heartbeat = new Heartbeat(`lockscope:lag:${this.#nonce}`, isStreamed(parts.level), clock(), () => {
      if (this.#isClosed) return;
      this.#noteSlowBeat();
      this.#sink.onBeat();
    });
    this.#clientIds = parts.clientIds;
    this.#stream = parts.stream;
    this.#reader = parts.reader;
    this.capabilities = parts.capabilities;
    this.#lines = parts.lines;
    this.#sink = parts.sink;
    this.#clock = parts.redisClock;
    this.#order = new OrderedStream({
      ...parts,
      clock: this.#clock,
      hasLines: parts.level === 'monitor',
      now: () => this.now(),
      onBookmark: () => this.#reads.succeeded(),
      onLost: () => this.#reads.missed(),
      onLine: (argument) => this.#heartbeat.seen(argument, clock),
      onHole: (hole) => parts.sink.onHole(hole),
      onClockSet: () => this.#loseClock({ isSet: true }),
      onDoubtful: () => this.#loseClock({ isSet: false }),
      waitedMs: () => this.#heartbeat.underWayMs(clock()),
      onQuiet: () => this.#quiet(),
    });
    this.#effects = parts.level === 'replication' ? this.#newEffects(parts) : undefined;
    this.#reads = new BookmarkReads({
      ...parts,
      clock: this.#clock,
      onClockSet: () => this.#loseClock({ isSet: true }),
      onTrackingRefused: () => this.#loseTracking(),
      effects: this.#effects,
      order: this.#order,
      nonce: this.#nonce,
      capabilities: () => this.capabilities,
      isClosed: () => this.#isClosed,
    });
  }

  /** Redis's ids of our connections. The stream's id is first. */
  get clientIds(): readonly number[] {
    const link = this.#effects?.clientId;
    return link === undefined ? this.#clientIds : [...this.#clientIds, link];
  }

  /** How many MONITOR lines have arrived. */
  get lines(): number {
    return this.#order.signals.lines;
  }

  /** Redis time of the newest line that may matter; without lines, that of the newest signal by our clock. */
  get at(): RedisTime {
    return this.#order.signals.at;
  }

  /**
   * Connects, logs in (HELLO 3) and tries what reading needs; the stream begins with `start`. Rejects with the reason.
   * `redisClock`: the clock of the connection before, whose times continue.
   */
  static async connect(
    url: RedisUrl,
    level: ObserveLevel,
    lines: LineReader,
    sink: FeedSink,
    permits: Permits,
    redisClock = new RedisClock(),
  ): Promise<OrderedFeed> {
    const room = level === 'monitor' ? lines.room : undefined;
    const connections = await openConnections(url, level, permits, room);
    try {
      await redisClock.begin(connections.reader);
    } catch (error) {
      connections.stream.close();
      connections.reader.close();
      throw error;
    }
    const { rights } = permits;
    const feed = new OrderedFeed({ ...connections, url, level, lines, sink, redisClock, rights });
    feed.#listen();
    return feed;
  }

  /**
   * Subscribes. At level `monitor`, sends MONITOR and finds out whether this server writes a push before or after its
   * line; at level `replication`, begins the stream of effects, or rejects with the problem that prevents it. Signals
   * that arrive meanwhile are held until `flow`.
   */
  async start(patterns: readonly string[]): Promise<void> {
    const probe = `lockscope:probe:${this.#nonce}`;
    this.#order.hold();
    this.#effects?.gate.hold();
    if (patterns.length > 0) await this.#stream.subscribe('PSUBSCRIBE', ...patterns);
    this.startedAt = this.now();
    await this.#effects?.begin();
    if (this.#level !== 'monitor') return;
    const { version } = this.capabilities;
    const sentAt = this.now();
    const onBegun = (shown?: RedisTime) => {
      const at = shown === undefined ? sentAt : redisTime(shown + this.setBack);
      this.#order.begin(at);
      this.startedAt = at;
    };
    const way = await beginMonitor(this.#stream, this.#reader, { channel: probe, version, onBegun });
    this.startedAt = redisTime(Math.min(this.startedAt, this.#order.signals.firstAt ?? this.startedAt));
    this.isPushFirst = way.isPushFirst;
    this.#lines.isUnescaped = way.isUnescaped;
  }

  /** Subscribes to further patterns while the stream flows; returns false if the server refuses. */
  async listen(patterns: readonly string[]): Promise<boolean> {
    if (patterns.length === 0) return true;
    return this.#stream.subscribe('PSUBSCRIBE', ...patterns).then(
      () => true,
      () => false,
    );
  }

  /** Lets the stream flow. Call it once the sink knows `isPushFirst`. */
  flow(): void {
    this.#reads.succeeded();
    this.#order.flow();
    this.#effects?.gate.settle();
  }

  /**
   * Reads keys of one database atomically; their content joins the stream as a bookmark at its place. Resolves once the
   * bookmark is there: to the keys whose content was too long to be kept, or to `busy` if nothing was read because a
   * script keeps Redis busy. Only one read may be under way: wait until this one has settled.
   */
  read(db: number, keys: readonly KeyToRead[]): Promise<readonly KeyToRead[] | 'busy'> {
    return this.#reads.read(db, keys);
  }

  /** Notes that reads wait because a script keeps Redis busy: the connection is not given up for the lack of reads. */
  waitsForScript(): void {
    this.#reads.succeeded();
  }

  /**
   * Sends commands outside the stream's order: scans, CLIENT LIST, settings. Errors of single commands are values. A
   * command that was refused before is not sent.
   */
  ask(...commands: (readonly string[])[]): Promise<Reply[]> {
    return this.rights.ask(commands, (some) => this.#reader.pipeline(some));
  }

  /**
   * Tries again what is refused; returns whether a part of it is allowed now. `isDue`: also the rights whose lack hides
   * only details.
   */
  async retryRefused(isDue: boolean): Promise<boolean> {
    const before = this.rights.count;
    await retryRefused((some) => this.#reader.pipeline(some), this.rights, this.#db, isDue);
    return this.rights.count < before;
  }

  /**
   * Turns client tracking on: from now on, the server reports the first change of each key that `read` touched. The
   * next read of the key asks for the next change. On Redis 6, only this shows whether the user may track keys.
   */
  async track(): Promise<void> {
    if (!(await this.#reads.track())) this.#loseTracking();
  }

  /**
   * Asks for reports of flushes only: client tracking without a tracked key. A user who may not track gets no reports.
   */
  async hearFlushes(): Promise<void> {
    await this.#stream.pipeline([['CLIENT', 'TRACKING', 'ON', 'OPTIN']]);
  }

  /**
   * Measures the offset of Redis's clock. Returns how long the reply took, in ms. Ends the connection if the clock was
   * set.
   */
  async syncClock(): Promise<number> {
    try {
      return await this.#clock.sync(this.#reader);
    } catch (error) {
      if (error instanceof ClockWasSet) this.#lose(error);
      throw error;
    }
  }

  /** Redis's clock minus this machine's, in µs. */
  get clockOffset(): number {
    return this.#clock.offset;
  }

  /** By how much Redis's clock is behind the times of this stream, in µs. */
  get setBack(): number {
    return this.#clock.setBack;
  }

  /** By how many ms our estimate of Redis's clock may be wrong. */
  get clockErrorMs(): number {
    return this.#clock.errorMs;
  }

  /** What we have sent on the connections of stream and reads. */
  get asked(): { bytes: number; commands: number } {
    const [a, b] = [this.#stream.sent, this.#reader === this.#stream ? NOTHING : this.#reader.sent];
    return { bytes: a.bytes + b.bytes, commands: a.commands + b.commands };
  }

  /** Sends a heartbeat unless one is under way. Call it several times a second. */
  beat(): void {
    this.#heartbeat.tick(
      steadyMs(),
      async (token) => {
        if (this.#effects) return this.#effects.beat(() => this.#heartbeat.seen(token, clock));
        const [reply] = await this.#reader.pipeline([['ECHO', token]]);
        return answerOf(reply);
      },
      clock,
    );
  }

  /** Everything that Redis did before this instant (`steadyMs`) has arrived. */
  get heardAt(): number {
    return this.#heartbeat.heardAt;
  }

  /** When the heartbeat under way was sent (`steadyMs`), if Redis has not run it for this long. */
  unansweredSince(ms: number): number | undefined {
    return this.#heartbeat.unansweredSince(steadyMs(), ms);
  }

  /** At level `replication`: whether a key may be deleted because the memory of the server is full. Else true. */
  get mayEvict(): boolean {
    return this.#effects?.mayEvict ?? true;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** How fast Redis answers, and how far behind it we are, now. */
  pulse(): Pulse {
    const { waitingSince, readAt } = this.#reader;
    return this.#heartbeat.pulse(steadyMs(), waitingSince, readAt);
  }

  /** The present Redis time, by our clock and the best measured offset. */
  now(): RedisTime {
    return this.#clock.now();
  }

  /** An instant of `steadyMs` as Redis time. */
  timeOf(steady: number): RedisTime {
    return plusMillis(this.now(), steady - steadyMs());
  }

  /** How many error replies have arrived, by their code. */
  get refusals(): ReadonlyMap<string, number> {
    if (this.#reader === this.#stream) return this.#reader.refusals;
    const both = new Map(this.#stream.refusals);
    for (const [code, count] of this.#reader.refusals) both.set(code, (both.get(code) ?? 0) + count);
    return both;
  }

  /** Closes all connections. Commands under way are rejected with the reason, and nothing more is emitted. */
  close(reason?: Error): void {
    this.#isClosed = true;
    this.#stream.close(reason);
    this.#reader.close(reason);
    this.#effects?.close();
    this.#order.end();
  }

  #newEffects({ url, reader, lines, sink }: Connections & Asked): EffectStream {
    const { signals, silence } = this.#order;
    return new EffectStream({
      ...{ url, reader, lines, setBack: this.setBack },
      capabilities: () => this.capabilities,
      now: () => this.now(),
      moment: (micros) => signals.moment(micros),
      emit: (signal) => {
        if (signal.kind === 'effects') return sink.onEffects(signal);
        this.#reads.succeeded();
        sink.onSignal(signal);
      },
      onRead: () => silence.expect(),
      onLost: () => this.#reads.missed(),
      onClose: (reason) => this.#lose(reason),
    });
  }

  /** Without lines, only a late reply shows a hole. */
  #noteSlowBeat(): void {
    const { answerMs } = this.#heartbeat;
    if (this.#level === 'monitor' || answerMs < SLOW_BEAT_MS) return;
    const to = this.now();
    this.#sink.onHole({ from: plusMillis(to, -answerMs), to, isOfClients: false });
  }

  #loseTracking(): void {
    this.capabilities = { ...this.capabilities, canTrack: false };
  }

  /** Every reply arrives here first. Without a right that every read needs, the connection ends. */
  #hear(words: readonly string[], reply: Reply): void {
    if (!this.rights.heard(words, reply)) return;
    const block = blockOf(this.rights, this.#level, this.#db);
    if (block) this.#lose(new NotPermitted(block));
  }

  #listen(): void {
    const onClose = (reason: Error) => this.#lose(reason);
    for (const connection of [this.#stream, this.#reader]) {
      connection.onReply = (words, reply) => this.#hear(words, reply);
    }
    this.#order.listen(this.#stream, onClose);
    if (this.#reader !== this.#stream) this.#reader.handlers = { onClose };
  }

  #loseClock(how: { isSet: boolean }): void {
    if (this.#isClosed) return;
    this.#clock.noteEnd(how);
    this.#lose(new ClockWasSet());
  }

  #lose(reason: Error): void {
    if (this.#isClosed) return;
    this.#order.cut();
    this.close(reason);
    this.#sink.onClose(reason);
  }

  /**
   * Silence never ends a script: a busy machine or network may hold up the rest of its lines. So a
   * heartbeat is sent, whose line follows them.
   */
  #quiet(): void {
    if (this.#order.signals.isInScript) this.beat();
    else this.#sink.onQuiet();
  }
}

/** Whether a heartbeat is complete only when the stream shows it. */
function isStreamed(level: ObserveLevel): boolean {
  return level === 'monitor' || level === 'replication';
}
