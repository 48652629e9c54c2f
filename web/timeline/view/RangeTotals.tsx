import { useMemo } from 'react';
import { nameInId, sourceInId } from '../../../shared/state/lock-state.ts';
import { hasDroppedIn } from '../../data/window/drops.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { NameText } from '../../ui/NameText.tsx';
import { durationText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import type { Words } from '../../words/words.ts';
import { usePlaceOf } from '../model/lock-place.ts';
import { useNameOf } from '../model/people-names.ts';
import { type HolderTotal, hasBlindSpot, percentOf, shareHeld, totalsIn } from '../model/range-totals.ts';
import { useHasSeveralLocks, useHistoryVersion, useRows, useWorkspace } from '../store/workspace.ts';

/** The most holders listed. */
const MOST_LISTED = 5;

/** Holds and waits in a range: for each holder how many, and how long. */
export function RangeTotals({ range }: { range: TimeSpan }) {
  const words = useWords().timeline;
  const { timeline } = useWorkspace();
  const { rows } = useRows();
  const version = useHistoryVersion();
  const nameOf = useNameOf(useHasSeveralLocks());
  const { totals, held, ids, now } = useMemo(() => {
    void version; // the window stays the same object when it changes
    const ids = rows.flatMap((row) => (row.kind === 'lock' ? [row.lockId] : []));
    const tracks = ids.flatMap((id) => timeline.tracks.get(id, Date.now()) ?? []);
    const [first, ...others] = tracks;
    const now = timeline.now();
    const share = first && others.length === 0 ? shareHeld(first, range, now) : null;
    return { totals: totalsIn(tracks, range, now), held: share, ids, now };
  }, [timeline, rows, range, version]);
  const isPartly =
    timeline.unknownIn(range).length > 0 ||
    hasBlindSpot(timeline.blindSpots(), range, new Set(ids.map(sourceInId))) ||
    hasDroppedIn(timeline.window, ids, range, now);
  const areSeveral = new Set(totals.map(({ lockId }) => lockId)).size > 1;
  return (
    <div className="tl-totals">
      {totals.length > 0 && <p>{summary(totals, isPartly ? null : held, words)}</p>}
      {totals.length === 0 && <p className="quiet">{words.total.none}</p>}
      <ul>
        {totals.slice(0, MOST_LISTED).map(({ lockId, holder, holds, heldMicros, waits, waitedMicros }) => (
          <li key={`${lockId} ${holder}`}>
            <b>
              <NameText text={nameOf(lockId, holder)} most={32} />
            </b>{' '}
            {areSeveral && <LockName lockId={lockId} />}{' '}
            {[
              holds > 0 ? words.total.holds(holds, durationText(heldMicros / 1000)) : '',
              waits > 0 ? words.total.waits(waits, durationText(waitedMicros / 1000)) : '',
            ]
              .filter((text) => text !== '')
              .join(' · ')}
          </li>
        ))}
      </ul>
      {totals.length > MOST_LISTED && <p className="quiet">{words.more(totals.length - MOST_LISTED)}</p>}
      {isPartly && <p className="quiet">{words.total.partly}</p>}
    </div>
  );
}

function LockName({ lockId }: { lockId: string }) {
  const place = usePlaceOf()(lockId);
  return (
    <>
      <NameText text={nameInId(lockId)} most={32} />
      {place !== '' && <span className="where">{place}</span>}
    </>
  );
}

/** `3 holds, 2 waits, held for 61 % of the time`. `held`: the share of the only lock; null: several, or not known. */
function summary(totals: readonly HolderTotal[], held: number | null, { total }: Words['timeline']): string {
  const sum = (of: (each: HolderTotal) => number) => totals.reduce((all, each) => all + of(each), 0);
  const [holds, waits] = [sum((each) => each.holds), sum((each) => each.waits)];
  return total.all(holds, waits, held === null ? null : percentOf(held));
}
