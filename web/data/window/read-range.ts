import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { partWithRoom } from './load-plan.ts';
import { joined, type LoadedRange } from './loaded-range.ts';
import type { Memory } from './memory.ts';
import { readWindow } from './window-request.ts';

/** The most parts of one range; a part has up to 5,000 events. */
const MOST_PARTS = 30;
/** How many times the beginning of the range is moved if there are more events than estimated. */
const MOST_MOVES = 3;

type RangeAsk = {
  readonly from: RedisTime;
  /** Null: up to now. */
  readonly to: RedisTime | null;
  readonly now: RedisTime;
  /** If there are too many events, the events around this instant are read. */
  readonly anchor: RedisTime;
  readonly lock: string;
};

type Progress = { memory: (memory: Memory) => void; reached: (at: RedisTime) => void };

/** Reads a range part by part. If it has too many events, the result begins later or ends sooner than asked. */
export async function readRange(ask: RangeAsk, progress: Progress, signal: AbortSignal): Promise<LoadedRange> {
  const end = ask.to ?? ask.now;
  const read = async (from: RedisTime, to: RedisTime | null) => {
    const { range, memory } = await readWindow({ from, to, lock: ask.lock }, signal);
    if (memory) progress.memory(memory);
    return range;
  };
  let to = ask.to;
  let range = await read(ask.from, to);
  for (let move = 0; move < MOST_MOVES && range.to !== null && range.to < end; move++) {
    const wanted = { from: range.from, to: end };
    const part = partWithRoom(wanted, ask.anchor, { events: range.events.length, to: range.to });
    if (part.to < end) to = part.to;
    if (part.from <= range.from) break;
    range = await read(part.from, to);
  }
  for (let part = 1; part < MOST_PARTS && range.to !== null && range.to < (to ?? end); part++) {
    progress.reached(range.to);
    const next = await read(range.to, to);
    const isStuck: boolean = next.to !== null && next.to <= range.to;
    range = joined(range, next);
    if (isStuck) break;
  }
  return to === null || range.to === null ? range : { ...range, to: redisTime(Math.min(range.to, to)) };
}
