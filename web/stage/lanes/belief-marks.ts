import type { RedisTime } from '../../../shared/base/time.ts';
import { beliefMark, type HoldDraft } from '../../timeline/model/beliefs.ts';
import type { HoldMark, Range } from '../../timeline/model/marks.ts';
import type { MomentChange } from '../script/moments-from-run.ts';
import { workingTogether } from '../script/together.ts';

/** What the stage draws beyond the holds in Redis, for one lock. */
export type Beliefs = {
  /** From when Redis ended a hold until its holder learned of that; open while the holder does not know it. */
  readonly marks: readonly HoldMark[];
  /** By holder: the ranges in which it worked while another holder worked, too. */
  readonly together: ReadonlyMap<string, readonly Range[]>;
};

/**
 * The beliefs of the demo's clients. They come from the world of each moment, as the cards do:
 *
 *   A   ┃████████┆- - - - -┆▨▨▨▨▨▨┤     thinks it holds; frozen at first, then both work
 *   B            ┃█████████▨▨▨▨▨▨▨███
 */
export function beliefsFromMoments(reported: readonly MomentChange[], lock: string): Beliefs {
  const marks: HoldDraft[] = [];
  const open = new Map<string, HoldDraft>();
  const together = new Map<string, Range[]>();
  let working = new Map<string, RedisTime>();
  for (const { moment, after } of reported) {
    const believers = after.beliefs.filter((belief) => belief.lock === lock).map(({ holder }) => holder);
    for (const [holder, mark] of open) {
      if (believers.includes(holder)) continue;
      mark.to = moment.at;
      mark.endSeq = moment.kind === 'event' ? moment.event.seq : null;
      open.delete(holder);
    }
    for (const holder of believers) {
      if (open.has(holder)) continue;
      const lostSeq = moment.kind === 'event' ? moment.event.seq : 0;
      const mark = beliefMark({ id: holder, mode: 'exclusive', since: null, lostAt: moment.at, until: null, lostSeq });
      marks.push(mark);
      open.set(holder, mark);
    }
    const both = workingTogether(after, lock);
    for (const [holder, from] of working) {
      if (!both.includes(holder)) add(together, holder, { from, to: moment.at });
    }
    working = new Map(both.map((holder) => [holder, working.get(holder) ?? moment.at]));
  }
  for (const [holder, from] of working) add(together, holder, { from, to: null });
  return { marks, together };
}

function add(together: Map<string, Range[]>, holder: string, range: Range): void {
  together.set(holder, [...(together.get(holder) ?? []), range]);
}
