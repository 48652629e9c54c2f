import { redisTime } from '../../../shared/base/time.ts';
import { seqBefore } from '../../../shared/state/replay/replay.ts';
import type { OutlineBody } from '../../../shared/wire/outline.ts';
import type { Memory } from '../history/memory.ts';
import type { Sliced } from '../slices/in-slices.ts';
import type { OutlineQuery } from '../terms/queries.ts';

export type Outline = Omit<OutlineBody, 'v'>;

/** The most numbers of an answer: about 1.5 MB of text. */
const MOST_NUMBERS = 300_000;
const LOCKS_AT_ONCE = 200;

/**
 * When each lock was held and waited for between two instants. However many events there were, at most the blocks at
 * the two instants are read, to count the events between them.
 */
export function* outlineOf({ outlines, history, watchLog, now }: Memory, query: OutlineQuery): Sliced<Outline> {
  const oldestAt = history.oldestAt ?? null;
  const from = Math.min(query.to, Math.max(query.from, oldestAt ?? query.from));
  const memory = history.remembered();
  const events = Math.max(0, seqBefore(memory, redisTime(query.to + 1)) - seqBefore(memory, redisTime(from)));
  const locks: Outline['locks'] = [];
  let [numbers, omitted, read] = [0, 0, 0];
  for (const { name: lock, ...each } of outlines.columns(from, query.to, query.columns, now(), query.lock)) {
    if (++read % LOCKS_AT_ONCE === 0) yield;
    numbers += each.held.length + each.waited.length;
    if (numbers > MOST_NUMBERS) omitted++;
    else locks.push({ ...each, lock });
  }
  const blind = watchLog.blindIn(redisTime(from), redisTime(query.to));
  return { from, to: query.to, columns: query.columns, oldestAt, events, blind, locks, omitted };
}
