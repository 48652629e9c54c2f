import type { RedisTime } from '../../../shared/base/time.ts';
import { tooMuchHeld } from '../connection/connection-end.ts';
import type { RawConnection } from '../connection/raw-connection.ts';
import type { LineHole } from '../lines/line-holes.ts';
import type { LineReader } from '../lines/line-reader.ts';
import { BookmarkGate, MOST_HELD } from './bookmark-gate.ts';
import type { FeedSink } from './feed-sink.ts';
import type { RedisClock } from './redis-clock.ts';
import { Silence } from './silence.ts';
import { StreamSignals } from './stream-signals.ts';

type Parts = {
  readonly stream: RawConnection;
  readonly lines: LineReader;
  readonly sink: FeedSink;
  /** Whether MONITOR lines arrive. */
  readonly hasLines: boolean;
  readonly clock: RedisClock;
  now(): RedisTime;
  /** Redis's clock was set. */
  onClockSet(): void;
  /** Redis's clock is not known now. */
  onDoubtful(): void;
  /** A bookmark has joined the stream. */
  onBookmark(): void;
  /** A bookmark could not be placed in the stream. */
  onLost(): void;
  /** A line has left the gate: nothing before it is held back any longer. `argument`: the first of its command. */
  onLine(argument: string | undefined): void;
  /** No line of a client arrived for over a second. */
  onHole(hole: LineHole): void;
  /** For how long a heartbeat has been under way. */
  waitedMs(): number;
  /** Nothing has arrived for a moment. */
  onQuiet(): void;
};

/**
 * Puts what one connection carries into one order and passes it on.
 *
 *   bytes ─► StreamSignals (lines and pushes as signals) ─► BookmarkGate (holds them while a reply is missing) ─► sink
 */
export class OrderedStream {
  readonly gate: BookmarkGate;
  readonly signals: StreamSignals;
  readonly silence: Silence;
  #isFlowing = false;
  /** Whether anything but replies has arrived since the last read. */
  #hasNews = false;
  /** How many lines had arrived after the last read. */
  #linesBefore = 0;

  constructor(parts: Parts) {
    const { stream, lines, sink, hasLines } = parts;
    this.gate = new BookmarkGate({
      emit: (signal) => {
        this.#hasNews = true;
        if (signal !== 'other' && signal.kind === 'bookmark') parts.onBookmark();
        sink.onSignal(signal);
        if (signal !== 'other' && signal.kind === 'line') parts.onLine(signal.words[1]);
      },
      onLost: () => parts.onLost(),
      onFull: () => stream.fail(tooMuchHeld(MOST_HELD / 1024 / 1024)),
    });
    this.signals = new StreamSignals({
      lines,
      gate: this.gate,
      sink,
      hasLines,
      clock: parts.clock,
      now: () => parts.now(),
      onClockSet: () => parts.onClockSet(),
      onDoubtful: () => parts.onDoubtful(),
      onHole: (hole) => parts.onHole(hole),
      waitedMs: () => parts.waitedMs(),
    });
    this.silence = new Silence({
      stream,
      pausesWhenFast: hasLines,
      isMidway: () => this.gate.isHolding || stream.isMidFrame,
      onQuiet: () => parts.onQuiet(),
    });
  }

  /** Takes what arrives on `stream` from now on. */
  listen(stream: RawConnection, onClose: (reason: Error) => void): void {
    stream.handlers = {
      onLine: (buffer, start, end) => {
        this.#hasNews = true;
        this.signals.line(buffer, start, end);
      },
      skip: (read, line, from) => this.signals.skip(read, line, from),
      onPush: (values) => {
        this.#hasNews = true;
        this.signals.push(values);
      },
      onRead: (bytes) => this.#noteRead(bytes),
      onDropped: (what) => {
        this.#hasNews = true;
        this.signals.dropped(what);
      },
      onClose,
    };
  }

  #noteRead(bytes: number): void {
    if (!this.#hasNews) return;
    this.#hasNews = false;
    const { lines } = this.signals;
    this.silence.read(bytes, lines - this.#linesBefore);
    this.#linesBefore = lines;
  }

  /** Holds everything back until `flow`. */
  hold(): void {
    this.gate.hold();
  }

  /** The stream begins at this time: drops what was held since `hold`, and holds what follows. */
  begin(at: RedisTime): void {
    this.gate.drop();
    this.gate.hold();
    this.signals.at = at;
  }

  /** Passes on what is held, and everything after it. */
  flow(): void {
    this.#isFlowing = true;
    this.gate.settle();
    this.silence.expect();
  }

  /**
   * The connection is lost. Signals that are held did come from Redis, so they are passed on. Before `flow`, they
   * belong to a blind spot and are dropped.
   */
  cut(): void {
    if (this.#isFlowing) this.gate.settle();
  }

  /** Nothing more is passed on. */
  end(): void {
    this.silence.end();
    this.gate.drop();
  }
}
