import { textFromBinary } from '../../../shared/base/bytes-text.ts';
import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { isScriptHead } from '../../../shared/signals/step.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { type Capabilities, capabilitiesOf } from '../probe.ts';
import {
  type KeyToRead,
  microsFromTime,
  movedAway,
  namesOf,
  readCommands,
  readsFromReplies,
  withoutCompanions,
} from '../reads/key-reads.ts';
import { BookmarkGate, MOST_HELD, type Streamed } from './bookmark-gate.ts';
import { noSnapshot, outOfStep, tooMuchHeld } from './connection-end.ts';
import { Heartbeat, type Pulse } from './heartbeat.ts';
import type { LineReader } from './line-reader.ts';
import { probePushOrder } from './push-order.ts';
import { RawConnection } from './raw-connection.ts';
import { isTooLong, type Reply } from './reply.ts';
import { isTransaction } from './transaction.ts';

export type FeedSink = {
  /** The next signal of the stream. */
  onSignal(signal: Streamed): void;
  /** Nothing has arrived for a moment, so nothing more belongs to the last signal. */
  onQuiet(): void;
  /** A sign of life is complete: `heardAt` is later now, and no earlier signal is still to come. */
  onBeat(): void;
  onRejected(reason: string): void;
  /** An invalidation of client tracking: this key changed; null: every key was deleted. */
  onInvalidated(key: string | null): void;
  /** The connection is lost. A script that is still open may lack its last lines. */
  onClose(reason: Error): void;
};

/** Redis writes a push together with the line that it belongs to: after this time, nothing more can be under way. */
const QUIET_MS = 3;
/** How often the stream is looked at until it has caught up. */
const CATCH_UP_EVERY_MS = 20;
/** A stream that is later than this shows none of our beats. */
const CATCH_UP_MS = 2000;
/** After a read of this many bytes, the next read follows at once: more is likely to be waiting. */
const BIG_READ = 32 * 1024;
const MARK = 'lockscope:mark:';
/** The beginning of a line that a script caused, and how many bytes of a line show that. */
const OF_SCRIPT = /^[\d.]+ \[\d+ lua\]/;
const HEAD_BYTES = 64;
/** Two rounds of reads. A connection on which no read has succeeded for this long is not reliable. */
const MOST_WITHOUT_BOOKMARK_MS = 20_000;
const NOTHING = { bytes: 0, commands: 0 };
const clock = () => performance.now();

/**
 * Everything that Redis sends, in one order.
 * One RESP3 connection carries pushes and, at level `monitor`, MONITOR. Keys are read at a bookmark: the reads end
 * with `ECHO mark`, and the reply counts exactly where that line is in the stream, whenever the reply arrives.
 *
 *   stream   … line · push · ECHO mark1 │ line · line …        (held here until the reply of mark1 is in)
 *   reply                               └ the content of the keys at this place
 *
 * At level `events` the reads use the same connection, on which replies and pushes have one order anyway.
 */
export class OrderedFeed {
  capabilities: Capabilities;
  /** Whether this server writes a push before the line of the command that caused it. */
  isPushFirst = true;
  /** False once Redis refused this user a companion key. */
  canReadCompanions = true;
  lines = 0;
  /** Redis time of the newest line, or our estimate of it. */
  at: RedisTime = redisTime(0);
  /** Redis time from which nothing is missed. */
  startedAt: RedisTime = redisTime(0);
  /** Redis's clock minus ours, in µs. */
  clockOffset = 0;
  readonly #level: ObserveLevel;
  readonly #stream: RawConnection;
  /** The connection for reads: a second one at level `monitor`, else the stream itself. */
  readonly #reader: RawConnection;
  readonly #lines: LineReader;
  readonly #sink: FeedSink;
  readonly #gate: BookmarkGate;
  #quietTimer: NodeJS.Timeout | undefined;
  #hasRead = false;
  /** The newest line was caused by a script: only the next line shows that the script has ended. */
  #isInScript = false;
  #isResting = false;
  #isClosed = false;
  #isFlowing = false;
  /** When the last read succeeded, by a clock that only goes forward. */
  #bookmarkedAt = 0;
  #isTracking = false;
  #marks = 0;
  readonly #nonce = Math.random().toString(36).slice(2, 10);
  readonly #heartbeat: Heartbeat;
  /** Redis's ids of our connections. The stream's id is first. */
  readonly clientIds: readonly number[];

  private constructor(parts: {
    level: ObserveLevel;
    stream: RawConnection;
    reader: RawConnection;
    capabilities: Capabilities;
    lines: LineReader;
    sink: FeedSink;
    clientIds: readonly number[];
  }) {
    this.#level = parts.level;
    this.#heartbeat = new Heartbeat(`lockscope:lag:${this.#nonce}`, parts.level === 'monitor', clock(), () => {
      if (!this.#isClosed) this.#sink.onBeat();
    });
    this.clientIds = parts.clientIds;
    this.#stream = parts.stream;
    this.#reader = parts.reader;
    this.capabilities = parts.capabilities;
    this.#lines = parts.lines;
    this.#sink = parts.sink;
    this.#gate = new BookmarkGate({
      emit: (signal) => {
        if (signal !== 'other' && signal.kind === 'bookmark') this.#bookmarkedAt = performance.now();
        this.#sink.onSignal(signal);
        // A beat is complete when its line leaves the gate: nothing before it is held back any longer.
        if (signal !== 'other' && signal.kind === 'line') this.#heartbeat.seen(signal.words[1], clock);
      },
      onLost: () => this.#missBookmark('a snapshot could not be placed in the stream'),
      onFull: () => this.#stream.fail(tooMuchHeld(MOST_HELD / 1024 / 1024)),
    });
  }

  /** Connects and greets; the stream begins with `start`. Rejects with the reason. */
  static async connect(url: RedisUrl, level: ObserveLevel, lines: LineReader, sink: FeedSink): Promise<OrderedFeed> {
    const stream = await RawConnection.open(url);
    let reader = stream;
    try {
      const hello = await stream.greet(url, 'lockscope');
      const capabilities = await capabilitiesOf(stream, hello, url);
      const clientIds = [Number(hello.get('id'))];
      if (level === 'monitor') {
        reader = await RawConnection.open(url);
        clientIds.push(Number((await reader.greet(url, 'lockscope')).get('id')));
      }
      const feed = new OrderedFeed({ level, stream, reader, capabilities, lines, sink, clientIds });
      await feed.syncClock();
      feed.#listen();
      return feed;
    } catch (error) {
      stream.close();
      reader.close();
      throw error;
    }
  }

  /**
   * Subscribes and, at level `monitor`, sends MONITOR and finds out whether this server writes a push before or after its
   * line. Signals that arrive meanwhile are held until `flow`.
   */
  async start(patterns: readonly string[]): Promise<void> {
    const probe = `lockscope:probe:${this.#nonce}`;
    this.startedAt = this.now();
    this.#gate.hold();
    if (patterns.length > 0) await this.#stream.subscribe('PSUBSCRIBE', ...patterns);
    if (this.#level !== 'monitor') return;
    this.isPushFirst = Number(this.capabilities.version.split('.')[0]) >= 7;
    const canSubscribe = await this.#stream.subscribe('SUBSCRIBE', probe).then(
      () => true,
      () => false, // this user may not subscribe here: the version decides
    );
    await this.#stream.command('MONITOR');
    const way = canSubscribe ? await probePushOrder(this.#stream, this.#reader, probe) : undefined;
    if (way) this.isPushFirst = way.isPushFirst;
    this.#lines.isUnescaped = way?.isUnescaped ?? false;
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
    this.#isFlowing = true;
    this.#bookmarkedAt = performance.now();
    this.#gate.settle();
    this.#armQuiet();
  }

  /**
   * Reads keys of one database atomically; their content joins the stream as a bookmark at its place. Resolves then, to
   * the keys whose content was too long to be kept. Only one read may be under way: wait until this one has settled.
   */
  read(db: number, keys: readonly KeyToRead[]): Promise<readonly KeyToRead[]> {
    const token = `${MARK}${this.#nonce}:${++this.#marks}`;
    return new Promise((resolve) => {
      if (this.#isClosed) return resolve([]);
      // Lines after the mark are filtered before the reply is read: from here on these keys matter.
      for (const name of keys.flatMap(namesOf)) this.#lines.addKey(name);
      let again: KeyToRead[] | undefined;
      let tooLong: readonly KeyToRead[] = [];
      this.#gate.expect(token, () => resolve(again ? this.read(db, again) : tooLong));
      const commands = readCommands(db, keys, token, this.capabilities);
      const before = this.#isTracking ? [['CLIENT', 'CACHING', 'YES']] : [];
      this.#reader.ordered([...before, ...commands], (replies) => {
        if (!isTransaction(replies.slice(before.length))) return this.#reader.fail(outOfStep());
        const found = readsFromReplies(keys, replies, this.capabilities);
        tooLong = found?.tooLong ?? [];
        const moved = found ? undefined : movedAway(keys, replies, this.#reader.host);
        // A user may be allowed to read locks, but not their companions: one refused command undoes the whole read.
        again = found ? undefined : (moved ?? withoutCompanions(keys));
        this.canReadCompanions &&= again === undefined || moved !== undefined;
        if (!found && !again) this.#missBookmark('Redis refused to read keys');
        // On the stream's own connection, the reply arrives at its place.
        if (this.#level !== 'monitor') this.#gate.mark(token, this.#moment(found?.at ?? 0));
        if (found) this.#gate.reply(token, found.readsAt);
        else this.#gate.settle(); // a read that was refused as a whole has no mark in the stream
        this.#armQuiet();
      });
    });
  }

  /** Sends commands outside the stream's order: scans, CLIENT LIST, settings. Errors of single commands are values. */
  ask(...commands: (readonly string[])[]): Promise<Reply[]> {
    return this.#reader.pipeline(commands);
  }

  /**
   * Turns client tracking on: from now on, the server reports the first change of each key that `read` touched. The next
   * read of the key asks for the next change. On Redis 6, only this shows whether the user may track keys.
   */
  async track(): Promise<void> {
    const replies = await this.#stream.pipeline([
      ['CLIENT', 'TRACKING', 'ON', 'OPTIN'],
      ['CLIENT', 'CACHING', 'YES'],
    ]);
    this.#isTracking = replies.every((reply) => reply === 'OK');
    if (!this.#isTracking) this.capabilities = { ...this.capabilities, canTrack: false };
  }

  /** Asks for reports of flushes only: client tracking without a tracked key. A user who may not track hears of none. */
  async hearFlushes(): Promise<void> {
    await this.#stream.pipeline([['CLIENT', 'TRACKING', 'ON', 'OPTIN']]);
  }

  /** Measures the offset of Redis's clock. Returns how long the reply took, in ms. */
  async syncClock(): Promise<number> {
    const before = Date.now();
    const [time] = await this.#reader.pipeline([['TIME']]);
    const after = Date.now();
    const micros = microsFromTime(time ?? null);
    if (micros > 0) this.clockOffset = micros - ((before + after) / 2) * 1000;
    return after - before;
  }

  /** What we have sent on these connections. */
  get asked(): { bytes: number; commands: number } {
    const [a, b] = [this.#stream.sent, this.#reader === this.#stream ? NOTHING : this.#reader.sent];
    return { bytes: a.bytes + b.bytes, commands: a.commands + b.commands };
  }

  /** Asks for a sign of life unless one is under way. Call it several times a second. */
  beat(): void {
    this.#heartbeat.tick(performance.now(), (token) => this.#reader.pipeline([['ECHO', token]]), clock);
  }

  /** Everything that Redis did before this instant (`performance.now()`) has arrived. */
  get heardAt(): number {
    return this.#heartbeat.heardAt;
  }

  /** Waits until what Redis did before now has arrived, 2 s at most. False: the connection has ended. */
  async caughtUp(): Promise<boolean> {
    const now = performance.now();
    const isLate = () => this.heardAt < now && performance.now() < now + CATCH_UP_MS;
    while (!this.#isClosed && isLate()) await new Promise((resolve) => setTimeout(resolve, CATCH_UP_EVERY_MS));
    return !this.#isClosed;
  }

  /** How fast Redis answers, and how far behind it we are, now. */
  pulse(): Pulse {
    const { waitingSince, readAt } = this.#reader;
    return this.#heartbeat.pulse(performance.now(), waitingSince, readAt);
  }

  /** The present Redis time, by our clock and the last measured offset. */
  now(): RedisTime {
    return redisTime(Math.round(Date.now() * 1000 + this.clockOffset));
  }

  /** Closes both connections; commands under way are rejected with the reason, and nothing more is emitted. */
  close(reason?: Error): void {
    this.#isClosed = true;
    clearTimeout(this.#quietTimer);
    this.#stream.close(reason);
    this.#reader.close(reason);
    this.#gate.drop();
  }

  #missBookmark(why: string): void {
    this.#sink.onRejected(why);
    if (performance.now() - this.#bookmarkedAt < MOST_WITHOUT_BOOKMARK_MS) return;
    this.#stream.fail(noSnapshot(MOST_WITHOUT_BOOKMARK_MS / 1000));
  }

  #listen(): void {
    const onClose = (reason: Error) => {
      if (this.#isClosed) return;
      // The signals that are held did come from Redis. Before `flow`, they belong to a blind spot and are dropped.
      if (this.#isFlowing) this.#gate.settle();
      this.close(reason);
      this.#sink.onClose(reason);
    };
    this.#stream.handlers = {
      onLine: (buffer, start, end) => this.#line(buffer, start, end),
      onPush: (values) => this.#push(values),
      onRead: (bytes) => this.#rest(bytes),
      onDropped: (what) => {
        this.#sink.onRejected(`a ${what} of over 16 MB was dropped`);
        if (what !== 'line') return;
        this.#isInScript = true; // the lost line may have been a script's
        this.#gate.pass({ kind: 'lost-line', at: this.at });
      },
      onClose,
    };
    if (this.#reader !== this.#stream) this.#reader.handlers = { onClose };
  }

  #line(buffer: Buffer, start: number, end: number): void {
    this.lines++;
    const read = this.#lines.read(buffer, start, end);
    if (read === 'other') {
      this.#isInScript = false;
      return this.#gate.pass('other');
    }
    if (!read.ok) {
      this.#sink.onRejected(read.error.reason);
      const isOfScript = OF_SCRIPT.test(buffer.toString('latin1', start, Math.min(end, start + HEAD_BYTES)));
      this.#isInScript = isOfScript;
      return this.#gate.pass(isOfScript ? { kind: 'lost-line', at: this.at } : 'other');
    }
    const line = read.value;
    this.at = line.at;
    this.#isInScript = line.client === null || isScriptHead(line);
    const mark = line.words[1];
    if (mark?.startsWith(MARK) && line.words[0]?.toUpperCase() === 'ECHO') {
      this.#gate.mark(mark, line.at);
      return;
    }
    this.#gate.pass(line);
  }

  #push(values: Reply[]): void {
    const [kind, ...rest] = values;
    if (kind === 'invalidate') {
      const [keys] = rest;
      if (isTooLong(keys)) this.#sink.onRejected('names too long to keep were dropped');
      if (keys === null) this.#sink.onInvalidated(null);
      for (const key of Array.isArray(keys) ? keys : [])
        if (typeof key === 'string') this.#sink.onInvalidated(textFromBinary(key));
      return;
    }
    const [channel, message] = rest.slice(-2);
    if (isTooLong(rest)) this.#sink.onRejected('a message too long to keep was dropped');
    if (typeof channel !== 'string' || typeof message !== 'string') return;
    const at = this.#level === 'monitor' ? this.at : this.#moment(this.now());
    this.#gate.pass({ kind: 'push', at, channel: textFromBinary(channel), message: textFromBinary(message) });
  }

  /** The time of the next signal. Estimates by our own clock never go back behind an earlier time. */
  #moment(micros: number): RedisTime {
    this.at = redisTime(Math.max(this.at, micros));
    return this.at;
  }

  /**
   * Redis writes after every few commands, and a read costs more than the few lines in it. So after a small read, reading
   * pauses for a moment while the system collects bytes, and then takes them at once.
   */
  #rest(bytes: number): void {
    this.#armQuiet();
    if (this.#level !== 'monitor' || bytes >= BIG_READ || this.#isResting) return;
    this.#isResting = true;
    this.#stream.pause();
  }

  /**
   * Starts a check for silence. A timer may fire before bytes that arrived long ago are read, so silence means two timers
   * without a read in between. In the middle of a line there is never silence, however long Redis was held up.
   *
   *   read, rest · timer, resume · read, rest · timer, resume · timer: quiet
   *
   * Silence never ends a script: a busy machine or network may hold up the rest of its lines. So Redis is asked for a
   * sign of life, whose line follows them.
   */
  #armQuiet(): void {
    this.#hasRead = true;
    this.#quietTimer ??= setTimeout(() => this.#lookForQuiet(), QUIET_MS);
  }

  #lookForQuiet(): void {
    const hasRead = this.#hasRead;
    this.#hasRead = false;
    if (this.#isResting) this.#stream.resume();
    this.#isResting = false;
    this.#quietTimer = hasRead ? setTimeout(() => this.#lookForQuiet(), QUIET_MS) : undefined;
    if (hasRead || this.#gate.isHolding || this.#stream.isMidFrame) return;
    if (this.#isInScript) this.beat();
    else this.#sink.onQuiet();
  }
}
