import type { Capabilities } from '../connection/capabilities.ts';
import { noSnapshot, outOfStep } from '../connection/connection-end.ts';
import type { RawConnection } from '../connection/raw-connection.ts';
import { isBusy } from '../connection/reply.ts';
import { steadyMs } from '../connection/surroundings.ts';
import { isTransaction } from '../connection/transaction.ts';
import type { LineReader } from '../lines/line-reader.ts';
import { type KeyToRead, namesOf, readCommands, withoutCompanions } from '../reads/key-reads.ts';
import { abilitiesOf, hasRefusal, permittedPart } from '../reads/permitted-reads.ts';
import { movedAway, readsFromReplies } from '../reads/read-replies.ts';
import type { EffectStream } from '../replication/effect-stream.ts';
import type { RefusedRights } from '../rights/refused-rights.ts';
import type { FeedSink } from './feed-sink.ts';
import type { OrderedStream } from './ordered-stream.ts';
import type { RedisClock } from './redis-clock.ts';
import { MARK } from './stream-signals.ts';

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
  readonly rights: RefusedRights;
  /** Makes our marks differ from those of another Lockscope. */
  readonly nonce: string;
  /** Redis's clock was set. */
  onClockSet(): void;
  /** The user may no longer track keys. */
  onTrackingRefused(): void;
  capabilities(): Capabilities;
  isClosed(): boolean;
};

/** Reads keys, and places what they contained in the stream as a bookmark. */
export class BookmarkReads {
  readonly #parts: Parts;
  /** When `succeeded` was last called, by `steadyMs`. */
  #succeededAt = 0;
  #marks = 0;
  #isTracking = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads keys of one database atomically. Resolves when the bookmark is in the stream, as `OrderedFeed.read`. */
  read(db: number, wanted: readonly KeyToRead[]): Promise<readonly KeyToRead[] | 'busy'> {
    const { stream, reader, lines, sink, order, effects, nonce, clock, rights } = this.#parts;
    const keys = wanted.flatMap((key) => permittedPart(key, rights) ?? []);
    const { signals, silence } = order;
    const gate = effects?.gate ?? order.gate;
    if (this.#parts.isClosed()) return Promise.resolve([]);
    const capabilities = { ...abilitiesOf(this.#parts.capabilities(), rights), hasOffset: effects !== undefined };
    const token = `${MARK}${nonce}:${++this.#marks}`;
    return new Promise((resolve) => {
      // Lines after the mark are filtered before the reply is read: from here on these keys matter.
      for (const name of keys.flatMap(namesOf)) lines.addKey(name);
      let again: readonly KeyToRead[] | undefined;
      let outcome: readonly KeyToRead[] | 'busy' = [];
      gate.expect(token, () => resolve(again ? this.read(db, again) : outcome));
      const commands = readCommands(db, keys, token, capabilities);
      const { earliest, setBack } = clock;
      const before = this.#isTracking ? [['CLIENT', 'CACHING', 'YES']] : [];
      reader.ordered([...before, ...commands], (all) => {
        const replies = all.slice(before.length);
        const isRefused = replies.some(hasRefusal);
        if (!isRefused && !isTransaction(replies)) return reader.fail(outOfStep());
        if (all.slice(0, before.length).some(hasRefusal)) {
          this.#isTracking = false;
          this.#parts.onTrackingRefused();
        }
        const found = isRefused ? undefined : readsFromReplies(keys, replies, capabilities, setBack);
        const isPossible = !found || found.at === 0 || (found.at >= earliest && found.at <= (clock.latest ?? found.at));
        if (!isPossible && clock.mayEnd) return this.#parts.onClockSet();
        outcome = replies.some(isBusy) ? 'busy' : (found?.tooLong ?? []);
        if (found?.newRole) sink.onOtherRole(found.newRole);
        const moved = found ? undefined : movedAway(keys, replies, reader.host);
        // One refused command makes the whole read fail. The read is repeated without the refused part.
        again =
          found || outcome === 'busy'
            ? undefined
            : (moved ?? (isRefused ? this.#rest(db, keys, commands) : withoutCompanions(keys)));
        // While a script keeps Redis busy, the connection is as good as before.
        if (outcome === 'busy') this.succeeded();
        else if (!found && !again) this.missed();
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

  /** The same keys, if another read of them would leave out what is now known to be refused; else `undefined`. */
  #rest(
    db: number,
    keys: readonly KeyToRead[],
    sent: readonly (readonly string[])[],
  ): readonly KeyToRead[] | undefined {
    const { rights, effects } = this.#parts;
    const abilities = { ...abilitiesOf(this.#parts.capabilities(), rights), hasOffset: effects !== undefined };
    const now = readCommands(
      db,
      keys.flatMap((key) => permittedPart(key, rights) ?? []),
      '',
      abilities,
    );
    return now.length === sent.length && now.every(([name], index) => name === sent[index]?.[0]) ? undefined : keys;
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

  /**
   * Begins the wait for a successful read again: a bookmark is in the stream, the stream begins, or no read can succeed
   * now.
   */
  succeeded(): void {
    this.#succeededAt = steadyMs();
  }

  /** A read was refused, or was not placed in the stream. If none has succeeded for 20 s, the connection ends. */
  missed(): void {
    const { stream } = this.#parts;
    if (steadyMs() - this.#succeededAt < MOST_WITHOUT_BOOKMARK_MS) return;
    stream.fail(noSnapshot(MOST_WITHOUT_BOOKMARK_MS / 1000));
  }
}
