import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import { EffectGroups, PROBE_CHANNEL } from '../../../shared/replication/effect-groups.ts';
import type { EffectGroup } from '../../../shared/replication/effects.ts';
import type { BookmarkSignal } from '../../../shared/signals/signal.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { ReplicationRefusal } from '../../../shared/wire/problems/values.ts';
import type { Capabilities } from '../connection/capabilities.ts';
import { tooMuchHeld } from '../connection/connection-end.ts';
import { RedisProblem } from '../connection/problem.ts';
import type { RawConnection } from '../connection/raw-connection.ts';
import {
  harmFromInfo,
  mayEvictFromInfo,
  placeFromInfo,
  type ReplicationPlace,
  refusalOf,
} from '../connection/replication-state.ts';
import { type Answer, isBusy, RedisError } from '../connection/reply.ts';
import { random, steadyMs } from '../connection/surroundings.ts';
import { laterInstants } from '../lines/later-instants.ts';
import type { LineReader } from '../lines/line-reader.ts';
import { OffsetGate } from './offset-gate.ts';
import { NotContinued, ReplicationLink } from './replication-link.ts';

type Parts = {
  readonly url: RedisUrl;
  /** The connection for reads and other commands. */
  readonly reader: RawConnection;
  readonly lines: LineReader;
  /** By how much Redis's clock is behind our times, in µs. */
  readonly setBack: number;
  capabilities(): Capabilities;
  now(): RedisTime;
  moment(micros: number): RedisTime;
  emit(signal: EffectGroup | BookmarkSignal): void;
  /** Bytes of the stream have arrived. */
  onRead(): void;
  /** A read could not be placed in the stream. */
  onLost(): void;
  /** The stream has ended: a `RedisProblem` if it must not be read any longer. */
  onClose(reason: Error): void;
};

/** A link that is cut more often within a minute is not opened again: an operator or a limit of the server cuts it. */
const MOST_CUTS = 3;
const WITHIN_MS = 60_000;
/** Up to this many bytes of the stream may be unread: far below the limits that end a replica's link. */
const MOST_BEHIND = 16 * 1024 * 1024;
const MOST_HELD_MB = 64;

/**
 * The effects of everything that a master does, from its replication stream, in one order with our reads.
 *
 *   link ─► EffectScanner ─► EffectFilter ─► EffectGroups ─► OffsetGate ─► effects and bookmarks
 *                                               reads, each with its offset ──┘
 *
 * If only the link is cut, another one continues at the same offset, so nothing is missed.
 */
export class EffectStream {
  readonly gate: OffsetGate;
  /** Whether the server may evict keys: to its replicas, an eviction is a deletion. */
  mayEvict = true;
  readonly #parts: Parts;
  readonly #groups: EffectGroups;
  /** The channel of a message of ours, which shows the selected database. */
  readonly #probe = `${PROBE_CHANNEL}${random().toString(36).slice(2, 12)}`;
  #link: ReplicationLink | undefined;
  #history = '';
  #offset = 0;
  #timeoutS: number | undefined;
  #cuts: number[] = [];
  #isClosed = false;
  /** The callbacks that wait until the stream has reached an offset, in the order of the offsets. */
  #awaited: { offset: number; onReached: () => void }[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#groups = new EffectGroups({ channel: this.#probe, db: parts.url.db }, (why) => this.#refuse(why));
    this.gate = new OffsetGate({
      moment: (micros) => parts.moment(micros),
      emit: (signal) => parts.emit(signal),
      onLost: () => parts.onLost(),
      onFull: () => this.#end(tooMuchHeld(MOST_HELD_MB)),
    });
  }

  /** Redis's id of the link; undefined if it is not known. */
  get clientId(): number | undefined {
    return this.#link?.clientId;
  }

  /** Begins the stream at the present offset. Rejects with a `RedisProblem` if it must not be read. */
  async begin(): Promise<void> {
    const { reader, capabilities } = this.#parts;
    const ask = (...commands: (readonly string[])[]) => reader.pipeline(commands);
    const refusal = await refusalOf(ask, capabilities());
    if (refusal) throw refused(refusal);
    const [timeout] = await ask(['CONFIG', 'GET', 'repl-timeout']);
    this.#timeoutS = Array.isArray(timeout) ? Number(timeout[1]) : undefined;
    await this.#open(async () => {
      const place = await this.#place();
      this.#history = place.history;
      this.#offset = place.offset;
      return place;
    });
    await this.#learnDatabase();
  }

  /**
   * Asks for the offset of the server, and calls `onReached` once the stream has reached it. Ends the stream if it does
   * harm, or if it is no longer the server's.
   */
  async beat(onReached: () => void): Promise<Answer> {
    const [info, memory] = await this.#parts.reader.pipeline([
      ['INFO', 'replication'],
      ['INFO', 'memory'],
    ]);
    if (info instanceof RedisError && info.code === 'NOPERM') this.#refuse('no-info');
    if (typeof info !== 'string') return isBusy(info) ? 'busy' : 'refused';
    this.mayEvict = mayEvictFromInfo(memory);
    const place = placeFromInfo(info);
    const harm = harmFromInfo(info);
    if (harm) this.#refuse(harm);
    else if (!place || place.history !== this.#history) this.#end(new Error('the replication history has changed'));
    else if (place.offset - this.#offset > MOST_BEHIND) this.#refuse('slow');
    else if (this.#offset >= place.offset) onReached();
    else this.#awaited.push({ offset: place.offset, onReached });
    return 'done';
  }

  close(): void {
    this.#isClosed = true;
    this.#link?.close();
    this.gate.drop();
    this.#awaited = [];
  }

  async #open(fresh: () => Promise<ReplicationPlace>): Promise<void> {
    const { url, lines, now, moment, onRead, setBack } = this.#parts;
    const { user } = this.#parts.capabilities();
    try {
      this.#link = await ReplicationLink.open(url, fresh, {
        timeoutS: this.#timeoutS,
        sink: {
          onCommand: (name, args, offset) => {
            const read = lines.effects.wordsOf(name, args);
            const words = read && laterInstants(read, setBack / 1000);
            const group = this.#groups.add(name, words, offset, moment(now()));
            if (group) this.gate.pass(group);
          },
          onRead: () => {
            this.#reach(this.#link?.offset ?? 0);
            onRead();
          },
          onClose: () => void this.#resume(),
        },
      });
    } catch (error) {
      if (error instanceof NotContinued) throw refused('not-continued');
      const isDenied =
        error instanceof RedisError && (error.code === 'NOPERM' || /unknown command/i.test(error.message));
      throw isDenied ? new RedisProblem(problem('replication-refused', { user })) : error;
    }
    if (this.#isClosed) this.#link.close();
  }

  /**
   * Opens another link after a cut, at the same offset. The server still has what it sent since, unless its backlog has
   * moved on.
   */
  async #resume(): Promise<void> {
    if (this.#isClosed) return;
    const at = steadyMs();
    this.#cuts = [...this.#cuts.filter((cut) => cut > at - WITHIN_MS), at];
    if (this.#cuts.length > MOST_CUTS) return this.#refuse('cuts');
    this.#offset = Math.max(this.#offset, this.#link?.offset ?? 0);
    try {
      await this.#open(async () => {
        const { history, oldest, offset } = await this.#place();
        if (history !== this.#history) throw new Error('the replication history has changed');
        if (oldest > this.#offset + 1 || offset < this.#offset) throw new Error('the backlog has moved on');
        return { history, oldest, offset: this.#offset };
      });
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** The present place of the stream. Requested just before PSYNC, so that the server still has what follows. */
  async #place(): Promise<ReplicationPlace> {
    const [info] = await this.#parts.reader.pipeline([['INFO', 'replication']]);
    const place = placeFromInfo(info);
    if (!place) throw refused('no-backlog');
    return place;
  }

  /**
   * A master sends SELECT only where the database changes, so a stream that continues does not show which one is
   * selected. When a message of ours arrives, the selected database is the one that it was published from.
   */
  async #learnDatabase(): Promise<void> {
    const { url, reader } = this.#parts;
    const replies = await reader.pipeline([
      ['SELECT', String(url.db)],
      ['PUBLISH', this.#probe, ''],
    ]);
    if (replies[1] instanceof RedisError) throw refused('no-publish');
  }

  #reach(offset: number): void {
    this.#offset = offset;
    this.gate.reach(offset);
    while (this.#awaited[0] && this.#awaited[0].offset <= offset) this.#awaited.shift()?.onReached();
  }

  #refuse(why: ReplicationRefusal): void {
    this.#end(refused(why));
  }

  #end(reason: Error): void {
    if (this.#isClosed) return;
    this.close();
    this.#parts.onClose(reason);
  }
}

/** Why the replication stream is not read. */
function refused(why: ReplicationRefusal): RedisProblem {
  return new RedisProblem(problem('replication-unavailable', { why }));
}
