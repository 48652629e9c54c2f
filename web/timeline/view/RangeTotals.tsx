import { useMemo } from 'react';
import { nameInId } from '../../../shared/state/lock-state.ts';
import { NameText } from '../../ui/NameText.tsx';
import { durationText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import type { Span } from '../layout/scale.ts';
import { useNameOf } from '../model/people-names.ts';
import { totalsIn } from '../model/range-totals.ts';
import { useHistoryVersion, useRows, useWorkspace } from '../store/workspace.ts';

/** The most holders listed. */
const MOST_LISTED = 5;

/** Holds and waits in a range: for each holder how many, and how long. */
export function RangeTotals({ range }: { range: Span }) {
  const words = useWords().timeline;
  const { timeline } = useWorkspace();
  const { rows } = useRows();
  const version = useHistoryVersion();
  const nameOf = useNameOf();
  const totals = useMemo(() => {
    void version; // the window stays the same object when it changes
    const ids = rows.flatMap((row) => (row.kind === 'lock' ? [row.lockId] : []));
    const tracks = ids.flatMap((id) => timeline.tracks.get(id, Date.now()) ?? []);
    return totalsIn(tracks, range, timeline.now());
  }, [timeline, rows, range, version]);
  const isPartly = timeline.unknownIn(range).length > 0 || hasBlindSpot(timeline.blindSpots(), range);
  const areSeveral = new Set(totals.map(({ lockId }) => lockId)).size > 1;
  return (
    <div className="tl-totals">
      {totals.length === 0 && <p className="quiet">{words.total.none}</p>}
      <ul>
        {totals.slice(0, MOST_LISTED).map(({ lockId, holder, holds, heldMicros, waits, waitedMicros }) => (
          <li key={`${lockId} ${holder}`}>
            <b>
              <NameText text={nameOf(lockId, holder)} most={32} />
            </b>{' '}
            {areSeveral && <NameText text={nameInId(lockId)} most={32} />}{' '}
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

function hasBlindSpot(spots: readonly { readonly from: number; readonly to: number | null }[], range: Span): boolean {
  return spots.some(({ from, to }) => from <= range.to && (to === null || to >= range.from));
}
