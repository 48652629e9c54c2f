import type { Capabilities } from '../probe.ts';
import { type KeyToRead, namesOf, readCommands, withoutCompanions } from '../reads/key-reads.ts';
import { movedAway, readsFromReplies } from '../reads/read-replies.ts';
import { noSnapshot, outOfStep } from './connection-end.ts';
import type { EffectStream } from './effect-stream.ts';
import type { FeedSink } from './feed-sink.ts';
import type { LineReader } from './line-reader.ts';
import type { OrderedStream } from './ordered-stream.ts';
import type { RawConnection } from './raw-connection.ts';
import type { RedisClock } from './redis-clock.ts';
import { RedisError, type Reply } from './reply.ts';
import { MARK } from './stream-signals.ts';
import { isTransaction } from './transaction.ts';

/** Two rounds of reads. A connection on which no read has succeeded for this long is not reliable. */
const MOST_WITHOUT_BOOKMARK_MS = 20_000;

type Parts = {
  readonly stream: RawConnection;
  /** The connection for reads: a second one at level `monitor`, else the stream itself. */
  readonly reader: RawConnection;
  readonly lines: LineReader;
  readonly sink: FeedSink;
  /** The stream that the bookmarks join. */
  readonly order: OrderedStream;
  /** At level `replication`, bookmarks join the effects by their offset. */
  readonly effects: EffectStream | undefined;
  readonly clock: RedisClock;
  /** Makes our marks differ from those of another Lockscope. */
  readonly nonce: string;
  /** Redis's clock was set. */
  onClockSet(): void;
  capabilities(): Capabilities;
  isClosed(): boolean;
};

/** Reads keys, and places what they held in the stream as a bookmark. */
export class BookmarkReads {
  readonly #parts: Parts;
  /** False once Redis refused this user a companion key. */
  canReadCompanions = true;
  /** When the last read succeeded, by a clock that only goes forward. */
  #succeededAt = 0;
  #marks = 0;
  #isTracking = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads keys of one database atomically. Resolves when the bookmark is in the stream, as `OrderedFeed.read`. */
  read(db: number, keys: readonly KeyToRead[]): Promise<readonly KeyToRead[]> {
    const { stream, reader, lines, sink, order, effects, nonce, clock } = this.#parts;
    const { signals, silence } = order;
    const gate = effects?.gate ?? order.gate;
    if (this.#parts.isClosed()) return Promise.resolve([]);
    const capabilities = { ...this.#parts.capabilities(), hasOffset: effects !== undefined };
    const token = `${MARK}${nonce}:${++this.#marks}`;
    return new Promise((resolve) => {
      // Lines after the mark are filtered before the reply is read: from here on these keys matter.
      for (const name of keys.flatMap(namesOf)) lines.addKey(name);
      let again: KeyToRead[] | undefined;
      let tooLong: readonly KeyToRead[] = [];
      gate.expect(token, () => resolve(again ? this.read(db, again) : tooLong));
      const commands = readCommands(db, keys, token, capabilities);
      const { earliest, setBack } = clock;
      const before = this.#isTracking ? [['CLIENT', 'CACHING', 'YES']] : [];
      reader.ordered([...before, ...commands], (replies) => {
        if (!isTransaction(replies.slice(before.length))) return reader.fail(outOfStep());
        const found = readsFromReplies(keys, replies, capabilities, setBack);
        const isPossible = !found || found.at === 0 || (found.at >= earliest && found.at <= (clock.latest ?? found.at));
        if (!isPossible && clock.mayEnd) return this.#parts.onClockSet();
        tooLong = found?.tooLong ?? [];
        if (found?.newRole) sink.onOtherRole(found.newRole);
        const moved = found ? undefined : movedAway(keys, replies, reader.host);
        // A user may be allowed to read locks, but not their companions: one refused command undoes the whole read.
        again = found ? undefined : (moved ?? withoutCompanions(keys));
        // Refused for now, for example without memory: the next read asks for the companions again.
        if (replies.some(isForbidden)) this.canReadCompanions = false;
        if (!found && !again) this.missed('Redis refused to read keys');
        // On the stream's own connection, the reply arrives at its place.
        if (effects) {
          if (found?.offset === undefined) effects.gate.settle();
          else effects.gate.reply(token, found.readsAt, found.offset, found.at);
          return silence.expect();
        }
        if (reader === stream) order.gate.mark(token, signals.moment(found?.at ?? 0));
        if (found) order.gate.reply(token, found.readsAt);
        else order.gate.settle(); // a read that was refused as a whole has no mark in the stream
        silence.expect();
      });
    });
  }

  /** From now on, the server reports the next change of each key that is read. Returns false if it refuses. */
  async track(): Promise<boolean> {
    const replies = await this.#parts.stream.pipeline([
      ['CLIENT', 'TRACKING', 'ON', 'OPTIN'],
      ['CLIENT', 'CACHING', 'YES'],
    ]);
    this.#isTracking = replies.every((reply) => reply === 'OK');
    return this.#isTracking;
  }

  /** A bookmark is in the stream, or the stream begins. */
  succeeded(): void {
    this.#succeededAt = performance.now();
  }

  /** A read failed. If none has succeeded for long, the connection ends. */
  missed(why: string): void {
    const { sink, stream } = this.#parts;
    sink.onRejected(why);
    if (performance.now() - this.#succeededAt < MOST_WITHOUT_BOOKMARK_MS) return;
    stream.fail(noSnapshot(MOST_WITHOUT_BOOKMARK_MS / 1000));
  }
}

/** Whether this user may never run a command, or this server does not have it. */
function isForbidden(reply: Reply): boolean {
  return reply instanceof RedisError && (reply.code === 'NOPERM' || reply.code === 'ERR');
}
