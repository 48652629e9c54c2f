import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { partWithRoom } from './load-plan.ts';
import type { Memory } from './memory.ts';
import { joined, type Stretch } from './stretch.ts';
import { readWindow } from './window-request.ts';

/** The most parts of one stretch; a part has up to 5,000 events. */
const MOST_PARTS = 30;
/** How often the beginning is moved if there are more events than estimated. */
const MOST_MOVES = 3;

export type StretchAsk = {
  readonly from: RedisTime;
  /** Null: up to now. */
  readonly to: RedisTime | null;
  readonly now: RedisTime;
  /** If there are too many events, those around this instant are read. */
  readonly anchor: RedisTime;
  readonly lock: string;
};

type Progress = { memory: (memory: Memory) => void; reached: (at: RedisTime) => void };

/** Reads a stretch part by part. If it has too many events, the result begins later or ends sooner than asked. */
export async function readStretch(ask: StretchAsk, progress: Progress, signal: AbortSignal): Promise<Stretch> {
  const end = ask.to ?? ask.now;
  const read = async (from: RedisTime, to: RedisTime | null) => {
    const { stretch, memory } = await readWindow({ from, to, lock: ask.lock }, signal);
    if (memory) progress.memory(memory);
    return stretch;
  };
  let to = ask.to;
  let stretch = await read(ask.from, to);
  for (let move = 0; move < MOST_MOVES && stretch.to !== null && stretch.to < end; move++) {
    const wanted = { from: stretch.from, to: end };
    const part = partWithRoom(wanted, ask.anchor, { events: stretch.events.length, to: stretch.to });
    if (part.to < end) to = part.to;
    if (part.from <= stretch.from) break;
    stretch = await read(part.from, to);
  }
  for (let part = 1; part < MOST_PARTS && stretch.to !== null && stretch.to < (to ?? end); part++) {
    progress.reached(stretch.to);
    const next = await read(stretch.to, to);
    const isStuck: boolean = next.to !== null && next.to <= stretch.to;
    stretch = joined(stretch, next);
    if (isStuck) break;
  }
  return to === null || stretch.to === null ? stretch : { ...stretch, to: redisTime(Math.min(stretch.to, to)) };
}
