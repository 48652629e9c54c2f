import { textFromBinary } from '../../../shared/base/bytes-text.ts';
import { forgetOldest } from '../../../shared/base/forget-oldest.ts';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { RejectedReason } from '../../../shared/signals/rejected-reason.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';
import { isScriptHead } from '../../../shared/signals/step.ts';
import { isTooLong, type Reply } from '../connection/reply.ts';
import { laterInstants } from '../lines/later-instants.ts';
import { microsAt } from '../lines/line-head.ts';
import { type LineHole, LineHoles } from '../lines/line-holes.ts';
import type { LineReader } from '../lines/line-reader.ts';
import type { BookmarkGate } from './bookmark-gate.ts';
import type { FeedSink } from './feed-sink.ts';
import { CLOCK_STEP_MICROS, type RedisClock } from './redis-clock.ts';

/** The beginning of the argument of an `ECHO` that marks the place of a read in the stream. */
export const MARK = 'lockscope:mark:';
/** The beginning of a line that a script caused, and how many bytes of a line show that. */
const OF_SCRIPT = /^[\d.]+ \[\d+ lua\]/;
const HEAD_BYTES = 64;
/** The most reading connections that are remembered: of this Lockscope, and of others that watch the same server. */
const MOST_READERS = 20;

type Parts = {
  readonly lines: LineReader;
  readonly gate: BookmarkGate;
  readonly sink: FeedSink;
  /** Whether MONITOR lines show the time. Without them, a push has the current time by our clock. */
  readonly hasLines: boolean;
  readonly clock: Pick<RedisClock, 'setBack' | 'latest' | 'isDoubtful' | 'mayEnd' | 'trustsLines'>;
  now(): RedisTime;
  /**
   * A line is over a second earlier than one before it, or later than now: Redis's clock was set. The line is not
   * passed on.
   */
  onClockSet(): void;
  /** A message cannot be dated: this machine slept, or its clock was set. The message is not passed on. */
  onDoubtful(): void;
  /** No line of a client arrived for over a second. */
  onHole(hole: LineHole): void;
  /** For how long a heartbeat has been under way. */
  waitedMs(): number;
};

/** Turns the lines and pushes of one connection into signals, and passes them to the gate. */
export class StreamSignals {
  readonly #parts: Parts;
  /** How many lines have arrived. */
  lines = 0;
  /** Redis time of the newest line that may matter; without lines, that of the newest signal by our clock. */
  at: RedisTime = redisTime(0);
  /** Redis time of the first line that may matter. */
  firstAt: RedisTime | undefined;
  /** The newest line began a script, or was caused by one: only another line shows that the script has ended. */
  isInScript = false;
  /** Addresses of connections that read for a Lockscope. */
  readonly #readers = new Set<string>();
  /** The last signal was a line that cannot matter. Another one after it changes nothing. */
  #isAfterOther = false;
  /** The last two lines were such lines: more of them are likely to follow. */
  #isInRun = false;

  readonly #holes: LineHoles;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#holes = new LineHoles(
      (hole) => parts.onHole(hole),
      () => parts.waitedMs(),
    );
  }

  line(buffer: Buffer, start: number, end: number): void {
    this.lines++;
    const read = this.#parts.lines.read(buffer, start, end);
    if (read === 'other') {
      this.#holes.line(microsAt(buffer, start) + this.#parts.clock.setBack);
      this.isInScript = false;
      this.#isInRun = this.#isAfterOther;
      if (this.#isAfterOther) return;
      this.#isAfterOther = true;
      this.#parts.gate.pass('other');
    } else {
      this.#isAfterOther = false;
      this.#isInRun = false;
      if (read.ok) this.#line(withSetBack(read.value, this.#parts.clock.setBack));
      else this.#rejected(read.error.reason, buffer, start, end);
    }
  }

  /**
   * After two lines that cannot matter, and while `setBack` is 0: counts the lines of the same second that follow and
   * cannot matter either, and emits no signal for them. Returns the place of the first byte that is left.
   */
  skip(read: Buffer, line: number, from: number): number {
    const { lines, clock } = this.#parts;
    if (!this.#isInRun || clock.setBack !== 0) return from;
    const next = lines.skip(read, line, from);
    if (next === from) return from;
    const { count, last } = lines.skipped;
    this.lines += count;
    this.#holes.linesOfSecond(microsAt(read, last + 1), count);
    return next;
  }

  #line(line: LineSignal): void {
    const { gate, clock } = this.#parts;
    const isPossible = line.at >= this.at - CLOCK_STEP_MICROS && line.at <= (clock.latest ?? line.at);
    if (!isPossible && clock.trustsLines) return this.#parts.onClockSet();
    this.at = line.at;
    this.firstAt ??= line.at;
    const isHead = line.client !== null && isScriptHead(line);
    if (line.client !== null) this.#holes.line(line.at);
    if (isHead) this.#holes.script();
    this.isInScript = line.client === null || isHead;
    const [command = '', mark = ''] = line.words;
    if (mark.startsWith(MARK) && command.toUpperCase() === 'ECHO') {
      this.#readers.add(line.client ?? '');
      forgetOldest(this.#readers, MOST_READERS);
      return gate.mark(mark, line.at);
    }
    // Each of our reads asks for the role with INFO; a client does so for another reason. Only INFO is dropped, since
    // the address may be a client's by now.
    const isOwnInfo = command === 'INFO' && this.#readers.has(line.client ?? '');
    gate.pass(isOwnInfo ? 'other' : line);
  }

  #rejected(reason: RejectedReason, buffer: Buffer, start: number, end: number): void {
    const { gate, sink } = this.#parts;
    sink.onRejected(reason);
    const isOfScript = OF_SCRIPT.test(buffer.toString('latin1', start, Math.min(end, start + HEAD_BYTES)));
    if (!isOfScript) this.#holes.line(microsAt(buffer, start) + this.#parts.clock.setBack);
    this.isInScript = isOfScript;
    gate.pass(isOfScript ? { kind: 'lost-line', at: this.at } : 'other');
  }

  push(values: Reply[]): void {
    const { gate, sink, hasLines, now } = this.#parts;
    this.#isAfterOther = false;
    const [kind, ...rest] = values;
    if (kind === 'invalidate') return this.#invalidated(rest[0]);
    const [channel, message] = rest.slice(-2);
    if (isTooLong(rest)) sink.onRejected('message-too-long');
    if (typeof channel !== 'string' || typeof message !== 'string') return;
    const text = { channel: textFromBinary(channel), message: textFromBinary(message) };
    if (hasLines) return gate.pass({ kind: 'push', at: this.at, ...text });
    const { isDoubtful, mayEnd } = this.#parts.clock;
    if (isDoubtful && mayEnd) return this.#parts.onDoubtful();
    const at = this.moment(now());
    gate.pass({ kind: 'push', at, nextAt: at, ...text });
  }

  dropped(what: 'line' | 'push'): void {
    this.#isAfterOther = false;
    this.#parts.sink.onRejected(`${what}-too-long`);
    if (what !== 'line') return;
    this.isInScript = true; // the lost line may have been a script's
    this.#parts.gate.pass({ kind: 'lost-line', at: this.at });
  }

  /** The time of the next signal: `micros`, or the time of the newest signal if that is later. */
  moment(micros: number): RedisTime {
    this.at = redisTime(Math.max(this.at, micros));
    return this.at;
  }

  #invalidated(keys: Reply | undefined): void {
    const { sink } = this.#parts;
    if (isTooLong(keys)) sink.onRejected('names-too-long');
    if (keys === null) sink.onInvalidated(null);
    for (const key of Array.isArray(keys) ? keys : []) {
      if (typeof key === 'string') sink.onInvalidated(textFromBinary(key));
    }
  }
}

function withSetBack(line: LineSignal, setBack: number): LineSignal {
  if (setBack === 0) return line;
  return { ...line, at: redisTime(line.at + setBack), words: laterInstants(line.words, setBack / 1000) };
}
