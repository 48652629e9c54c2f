import { type RedisTime, redisTime } from '../../../../shared/base/time.ts';
import type { Standstill } from '../../../../shared/signals/server-signal.ts';
import { RedisError } from '../../../redis/connection/reply.ts';
import type { LineHole } from '../../../redis/lines/line-holes.ts';
import { slowFromLog } from '../../../redis/reads/server-logs.ts';
import type { OrderedFeed } from '../../../redis/stream/ordered-feed.ts';

const MOST_HOLES = 10;
/** SLOWLOG has whole seconds. */
const SLACK_SECONDS = 2;
/** A slow command explains a hole only if it took at least this share of it. */
const COVERED = 0.7;
/** A connection is given up after 10 s without an answer: only a slow command that took about this long explains it. */
const SHORTEST_CUT_MICROS = 9_000_000;
/** SLOWLOG shows only the second in which such a command ended, and our clock may be off by another 0.5 s. */
const CUT_SLACK_MICROS = 1_500_000;

export type Range = Pick<LineHole, 'from' | 'to'>;

/** Finds out why the stream had a hole, or its connection was given up, if the server stood still. */
export class StandstillCauses {
  readonly #feed: OrderedFeed;
  readonly #ask: OrderedFeed['ask'];
  #holes: LineHole[] = [];
  #cut: Range | undefined;
  /** When BUSY was last returned: between two samples. A hole may become known only after that. */
  busy: Range | undefined;
  #maySlowLog = true;

  constructor(feed: OrderedFeed, ask: OrderedFeed['ask']) {
    this.#feed = feed;
    this.#ask = ask;
  }

  /** Notes a hole in the stream. */
  hole({ from, to, isOfClients }: LineHole): void {
    if (this.#holes.length >= MOST_HOLES) return;
    const whole = (at: RedisTime) => redisTime(Math.round(at)); // a recording takes whole microseconds
    this.#holes.push({ from: whole(from), to: whole(to), isOfClients });
  }

  /** Notes that the connection before this one was given up. */
  wasCut(range: Range): void {
    this.#cut = range;
  }

  /** The standstill that explains the cut, or else the next hole. `pauseCalled`: when CLIENT PAUSE was called last. */
  async next(pauseCalled: Range | undefined): Promise<Standstill | undefined> {
    return (await this.#cutBySlow()) ?? (await this.#holeBy(pauseCalled));
  }

  async #holeBy(pauseCalled: Range | undefined): Promise<Standstill | undefined> {
    const hole = this.#holes.shift();
    if (!hole) return undefined;
    const slow = await this.#slowIn(hole);
    const { from, to, isOfClients } = hole;
    const isIn = (range: Range | undefined) => range !== undefined && from < range.to && to > range.from;
    if (slow) return { from, to, command: slow.command, by: slow.by, shownBy: 'slow-log' };
    if (isIn(this.busy)) return { from, to, shownBy: 'busy' };
    if (isIn(pauseCalled)) return { from, to, command: 'CLIENT PAUSE', shownBy: 'pause' };
    return isOfClients ? { from, to, shownBy: 'clients' } : undefined;
  }

  async #slowIn({ from, to }: Range) {
    return (await this.#slowCommands()).find(
      ({ endedAt, micros }) =>
        Math.abs(this.#timeOf(endedAt) - to) <= SLACK_SECONDS * 1_000_000 && micros >= (to - from) * COVERED,
    );
  }

  /** The command because of which the last connection was given up. It ran after the last command that was seen. */
  async #cutBySlow(): Promise<Standstill | undefined> {
    const cut = this.#cut;
    this.#cut = undefined;
    if (!cut || cut.to - cut.from < SHORTEST_CUT_MICROS) return undefined;
    for (const { endedAt, micros, command, by } of await this.#slowCommands()) {
      // SLOWLOG has whole seconds: the command ended up to 1 s later, so it did not begin before this
      const began = this.#timeOf(endedAt) - micros;
      const isInCut = began >= cut.from - CUT_SLACK_MICROS && began + micros <= cut.to;
      if (!isInCut || micros < SHORTEST_CUT_MICROS) continue;
      const from = Math.max(cut.from, began);
      const to = Math.min(cut.to, from + micros, this.#timeOf(endedAt + 1));
      return { from: redisTime(from), to: redisTime(to), command, by, shownBy: 'slow-log' };
    }
    return undefined;
  }

  async #slowCommands() {
    if (!this.#maySlowLog) return [];
    const [reply] = await this.#ask(['SLOWLOG', 'GET', '16']);
    if (reply instanceof RedisError) this.#maySlowLog = reply.code === 'BUSY';
    return slowFromLog(reply);
  }

  /** The time of a second by Redis's clock. */
  #timeOf(second: number): number {
    return second * 1_000_000 + this.#feed.setBack;
  }
}
