import { inSlices } from '../watch/slices/in-slices.ts';
import { sharesOf } from '../watch/terms/memory-shares.ts';
import { STREAM } from './kept-run.ts';
import { type RangeAnswers, RangeReplay } from './range-replay.ts';
import type { StoreLink } from './store-link.ts';

/** A range ends after the block with which it has more lines than this. Its `to` shows where. */
const MOST_LINES = 200_000;
/** A range is opened with this much time after it, because a reader often moves on a little. */
const MORE_MICROS = 60_000_000;
const MOST_RANGES = 6;

/** An open range of the store. Its answers hold for instants from `from` to `to`. */
export type OpenedRange = RangeAnswers & {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  /** The request for which it was read: if it has too many lines, it ends before `asked.to`. */
  readonly asked: { readonly from: number; readonly to: number };
};

/** The ranges of the store that were requested last, at most six, as events and states in memory. */
export class OpenedRanges {
  readonly #link: StoreLink;
  readonly #mostBytes: number;
  readonly #memory: number;
  readonly #source: string;
  readonly #mostLines: number;
  /** The reads of events before each range. */
  readonly #before = new WeakMap<RangeReplay, Promise<void>>();
  /** The range that was unused for longest is first. */
  #open: OpenedRange[] = [];
  /** Ranges are opened one after the other, so that two equal requests open only one range. */
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * `memory`: the limit of the whole process, in bytes. Open ranges may take half as much as the history in memory. The
   * newest range stays open even if it is larger.
   */
  constructor(link: StoreLink, memory: number, source = STREAM, mostLines = MOST_LINES) {
    this.#source = source;
    this.#mostLines = mostLines;
    this.#link = link;
    this.#memory = memory;
    const { historyBytes } = sharesOf(memory);
    this.#mostBytes = historyBytes / 2;
  }

  /**
   * The open range from `from` to `to`, opened if necessary; `undefined` if nothing of it is stored. If it has too many
   * lines, it ends before `to`.
   */
  open(from: number, to: number, signal?: AbortSignal): Promise<OpenedRange | undefined> {
    const opened = this.#turn.then(() => this.#find(from, to) ?? this.#read(from, to, signal));
    this.#turn = opened.catch(() => undefined);
    return opened;
  }

  #find(from: number, to: number): OpenedRange | undefined {
    const found = this.#open.find(
      ({ asked, ...range }) => (range.from <= from && range.to >= to) || (asked.from === from && asked.to >= to),
    );
    if (found) this.#open = [...this.#open.filter((each) => each !== found), found];
    return found;
  }

  async #read(from: number, to: number, signal?: AbortSignal): Promise<OpenedRange | undefined> {
    signal?.throwIfAborted();
    const query = { source: this.#source, from, to: to + MORE_MICROS, most: this.#mostLines };
    const range = await this.#link.ask({ ask: 'read', query });
    if (!range) return undefined;
    const replay = new RangeReplay(range, sharesOf(this.#memory));
    await inSlices(replay.work(), signal);
    const { answers, history } = replay.answers();
    const insights: typeof answers.insights = async (query, signal) => {
      await this.#readBefore(replay);
      return answers.insights(query, signal);
    };
    const place = { from: range.from, to: range.to, asked: { from, to } };
    const opened = { history, answers: { ...answers, insights }, bytes: replay.bytes, ...place };
    this.#keep(opened);
    return opened;
  }

  /** Reads the events before a range that detectors need, once. */
  #readBefore(replay: RangeReplay): Promise<void> {
    const known = this.#before.get(replay);
    if (known) return known;
    const wanted = replay.wantedBefore();
    const query = wanted && { ...wanted, source: this.#source, most: MOST_LINES };
    const read = query
      ? this.#link.ask({ ask: 'read-back', query }).then((back) => replay.takeBefore(back))
      : undefined;
    const taken = Promise.resolve(read);
    this.#before.set(replay, taken);
    taken.catch(() => this.#before.delete(replay)); // the next request reads again
    return taken;
  }

  #keep(opened: OpenedRange): void {
    this.#open.push(opened);
    const bytes = () => this.#open.reduce((sum, range) => sum + range.bytes, 0);
    while (this.#open.length > 1 && (this.#open.length > MOST_RANGES || bytes() > this.#mostBytes)) this.#open.shift();
  }
}
