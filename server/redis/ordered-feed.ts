import { textFromBinary } from '../../shared/base/bytes-text.ts';
import type { RedisUrl } from '../../shared/base/redis-url.ts';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { Signal } from '../../shared/signals/signal.ts';
import type { ObserveLevel } from '../../shared/wire/source.ts';
import { BookmarkGate } from './bookmark-gate.ts';
import {
  type KeyToRead,
  microsFromTime,
  movedAway,
  namesOf,
  readCommands,
  readsFromReplies,
  withoutCompanions,
} from './key-reads.ts';
import type { LineReader } from './line-reader.ts';
import { type Capabilities, capabilitiesOf } from './probe.ts';
import { probePushOrder } from './push-order.ts';
import { RawConnection } from './raw-connection.ts';
import type { Reply } from './resp-scanner.ts';
import { StreamLag } from './stream-lag.ts';

export type FeedSink = {
  /** The next signal of the stream; `other`: a line stood here that cannot matter. */
  onSignal(signal: Signal | 'other'): void;
  /** Nothing has come for a moment, so nothing more belongs to what came last. */
  onQuiet(): void;
  onRejected(reason: string): void;
  /** An invalidation of client tracking: this key changed. */
  onInvalidated(key: string): void;
  onClose(reason: Error): void;
};

/** A script's output is written at once; this much later nothing more of it can be under way. */
const QUIET_MS = 3;
/** A read of this many bytes was worth it: more is likely to be waiting. */
const BIG_READ = 32 * 1024;
const MARK = 'lockscope:mark:';

/**
 * Everything Redis says, in one order.
 * One RESP3 connection carries pushes and, at level `monitor`, MONITOR. Keys are read at a bookmark: the reads end
 * with `ECHO mark`, and the reply counts exactly where that line stands in the stream, whenever it arrives.
 *
 *   stream   … line · push · ECHO mark1 │ line · line …        (held here until the reply of mark1 is in)
 *   reply                               └ what the keys held at this place
 * At level `events` the reads go over the same connection, where replies and pushes share one order anyway.
 */
export class OrderedFeed {
  capabilities: Capabilities;
  /** Whether this server writes a push before the line of the command that caused it. */
  isPushFirst = true;
  /** False once this user was refused a key beside a lock's own. */
  canReadCompanions = true;
  lines = 0;
  /** Redis time of the newest line, or our estimate of it. */
  at: RedisTime = redisTime(0);
  /** Redis time from which on nothing is missed. */
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
  #isResting = false;
  #isClosed = false;
  #marks = 0;
  readonly #nonce = Math.random().toString(36).slice(2, 10);
  readonly #lag = new StreamLag(this.#nonce);

  private constructor(parts: {
    level: ObserveLevel;
    stream: RawConnection;
    reader: RawConnection;
    capabilities: Capabilities;
    lines: LineReader;
    sink: FeedSink;
  }) {
    this.#level = parts.level;
    this.#stream = parts.stream;
    this.#reader = parts.reader;
    this.capabilities = parts.capabilities;
    this.#lines = parts.lines;
    this.#sink = parts.sink;
    this.#gate = new BookmarkGate(
      (signal) => this.#sink.onSignal(signal),
      () => this.#sink.onRejected('a snapshot found no place in the stream'),
    );
  }

  /** Connects and greets; the stream begins with `start`. Rejects with the reason. */
  static async connect(url: RedisUrl, level: ObserveLevel, lines: LineReader, sink: FeedSink): Promise<OrderedFeed> {
    const stream = await RawConnection.open(url);
    let reader = stream;
    try {
      const hello = await stream.greet(url, 'lockscope');
      const capabilities = await capabilitiesOf(stream, hello, url);
      if (level === 'monitor') {
        reader = await RawConnection.open(url);
        await reader.greet(url, 'lockscope');
      }
      const feed = new OrderedFeed({ level, stream, reader, capabilities, lines, sink });
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
   * Subscribes and, at level `monitor`, begins to monitor; finds out where this server puts pushes. What comes
   * meanwhile is kept until `flow`.
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
      () => false, // this user may not: the version decides
    );
    await this.#stream.command('MONITOR');
    const way = canSubscribe ? await probePushOrder(this.#stream, this.#reader, probe) : undefined;
    if (way) this.isPushFirst = way.isPushFirst;
    this.#lines.isUnescaped = way?.isUnescaped ?? false;
  }

  /** Lets the stream flow: whoever listens knows `isPushFirst` by now. */
  flow(): void {
    this.#gate.settle();
    this.#armQuiet();
  }

  /**
   * Reads keys of one database atomically; what they held joins the stream as a bookmark at its place. Settles when
   * it did. One read at a time: the next is made when this one has settled.
   */
  read(db: number, keys: readonly KeyToRead[]): Promise<void> {
    const token = `${MARK}${this.#nonce}:${++this.#marks}`;
    return new Promise((resolve) => {
      if (this.#isClosed) return resolve();
      // What follows the mark is looked at before the reply is: from here on these keys matter.
      for (const name of keys.flatMap(namesOf)) this.#lines.addKey(name);
      let again: KeyToRead[] | undefined;
      this.#gate.expect(token, () => resolve(again && this.read(db, again)));
      this.#reader.ordered(readCommands(db, keys, token, this.capabilities), (replies) => {
        const found = readsFromReplies(keys, replies, this.capabilities);
        const moved = found ? undefined : movedAway(keys, replies, this.#reader.host);
        // A user may read locks, but not what stands beside them: one refused command undoes the whole read.
        again = found ? undefined : (moved ?? withoutCompanions(keys));
        this.canReadCompanions &&= again === undefined || moved !== undefined;
        if (!found && !again) this.#sink.onRejected('Redis refused to read keys');
        // On the stream's own connection the reply stands at its place already.
        if (this.#level !== 'monitor') this.#gate.mark(token, this.#moment(found?.at ?? 0));
        if (found) this.#gate.reply(token, found.readsAt);
        else this.#gate.settle(); // what was refused as a whole leaves no mark
        this.#armQuiet();
      });
    });
  }

  /** A command outside the stream's order: scans, CLIENT LIST, settings. Errors of single commands are values. */
  ask(...commands: (readonly string[])[]): Promise<Reply[]> {
    return this.#reader.pipeline(commands);
  }

  /** Turns client tracking on for these prefixes, one by one; gives back how many the server took. */
  async track(prefixes: readonly string[]): Promise<number> {
    const replies = await this.#stream.pipeline(
      prefixes.map((prefix) => ['CLIENT', 'TRACKING', 'ON', 'BCAST', 'PREFIX', prefix]),
    );
    return replies.filter((reply) => reply === 'OK').length;
  }

  /** Learns how far Redis's clock is from ours, and how long an answer takes (ms). */
  async syncClock(): Promise<number> {
    const before = Date.now();
    const [time] = await this.#reader.pipeline([['TIME']]);
    const after = Date.now();
    const micros = microsFromTime(time ?? null);
    if (micros > 0) this.clockOffset = micros - ((before + after) / 2) * 1000;
    return after - before;
  }

  /** Milliseconds from sending a command until its line has come through the stream: how far behind Redis we are. */
  streamLag(): Promise<number> {
    return this.#lag.measure((token) => this.#reader.pipeline([['ECHO', token]]));
  }

  /** Redis time now, by our clock and the offset last measured. */
  now(): RedisTime {
    return redisTime(Math.round(Date.now() * 1000 + this.clockOffset));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#quietTimer);
    this.#stream.close();
    this.#reader.close();
  }

  #listen(): void {
    const onClose = (reason: Error) => {
      if (this.#isClosed) return;
      this.close();
      this.#gate.settle(); // what is held is still what Redis said
      this.#sink.onQuiet();
      this.#sink.onClose(reason);
    };
    this.#stream.handlers = {
      onLine: (buffer, start, end) => this.#line(buffer, start, end),
      onPush: (values) => this.#push(values),
      onRead: (bytes) => this.#rest(bytes),
      onDropped: () => this.#sink.onRejected('a line of over 16 MB was dropped'),
      onClose,
    };
    if (this.#reader !== this.#stream) this.#reader.handlers = { onClose };
  }

  #line(buffer: Buffer, start: number, end: number): void {
    this.lines++;
    const read = this.#lines.read(buffer, start, end);
    if (read === 'other' || !read.ok) {
      if (read !== 'other') this.#sink.onRejected(read.error.reason);
      this.#gate.pass('other');
      return;
    }
    const line = read.value;
    this.at = line.at;
    const mark = line.words[1];
    if (mark?.startsWith(MARK) && line.words[0]?.toUpperCase() === 'ECHO') {
      this.#gate.mark(mark, line.at);
      return;
    }
    this.#lag.seen(mark);
    this.#gate.pass(line);
  }

  #push(values: Reply[]): void {
    const [kind, ...rest] = values;
    if (kind === 'invalidate') {
      const [keys] = rest;
      for (const key of Array.isArray(keys) ? keys : []) this.#sink.onInvalidated(textFromBinary(String(key)));
      return;
    }
    const [channel, message] = rest.slice(-2);
    if (typeof channel !== 'string' || typeof message !== 'string') return;
    const at = this.#level === 'monitor' ? this.at : this.#moment(this.now());
    this.#gate.pass({ kind: 'push', at, channel: textFromBinary(channel), message: textFromBinary(message) });
  }

  /** Our own clock's estimates never go back behind what was said before. */
  #moment(micros: number): RedisTime {
    this.at = redisTime(Math.max(this.at, micros));
    return this.at;
  }

  /**
   * Lines come in dribs: Redis writes after every few commands, and a read costs more than the lines in it. So after a
   * small one the rest is left with the system for a moment, and then taken at once.
   */
  #rest(bytes: number): void {
    this.#armQuiet();
    if (this.#level !== 'monitor' || bytes >= BIG_READ || this.#isResting) return;
    this.#isResting = true;
    this.#stream.pause();
  }

  /**
   * Arms the look for silence. A timer may be due before bytes that have long arrived are read, so silence is what
   * lies between two of them without a read. In the middle of a line there is none, however long Redis was held up.
   *
   *   read, rest · timer, resume · read, rest · timer, resume · timer: quiet
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
    if (!hasRead && !this.#gate.isHolding && !this.#stream.isMidFrame) this.#sink.onQuiet();
  }
}
