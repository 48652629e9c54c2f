import { redisTime } from '../../shared/base/time.ts';
import { timelineAt } from '../cursor/routes-now.ts';
import type { ShownWaits } from '../data/queries/waits.ts';
import { LockName } from '../parts/LockName.tsx';
import { Person } from '../parts/Person.tsx';
import { waitRows } from '../share/file-rows.ts';
import TableMenu from '../share/TableMenu.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { countText, durationText, millisText } from '../ui/time-text.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { SpentOn } from './SpentOn.tsx';
import { timeText } from './waits-text.ts';

/** The holds that cost others most. */
export function HoldTable({ waits }: { waits: ShownWaits }) {
  const { waits: texts } = useWords();
  const { head } = texts;
  return (
    <PlainTable
      label={texts.by.holds}
      boxLabel={texts.by.holds}
      heads={[head.lock, head.holder, head.from, head.length, head.cost, head.waiters]}
      more={waits.more.holds}
    >
      {waits.holds.map((hold) => (
        <tr key={`${hold.seq} ${hold.holder}`}>
          <td data-label={head.lock}>
            <LockName lock={hold} />
          </td>
          <td data-label={head.holder}>
            <Person lockId="" id={hold.holder} isAmongLocks />
          </td>
          <td data-label={head.from}>
            <Beginning of={hold} />
          </td>
          <td data-label={head.length}>{lengthText(hold, waits.to, hold.isOpenStart, texts)}</td>
          <td data-label={head.cost}>{timeText(hold.causedMs, hold.isAtLeast, texts)}</td>
          <td data-label={head.waiters}>{countText(hold.waiters)}</td>
        </tr>
      ))}
    </PlainTable>
  );
}

/** The longest waits, each with its parts. */
export function WaitTable({ waits }: { waits: ShownWaits }) {
  const { waits: texts } = useWords();
  const { head } = texts;
  const longest = waits.longest[0]?.ms ?? 1;
  return (
    <>
      <PlainTable
        label={texts.by.longest}
        boxLabel={texts.by.longest}
        heads={[head.lock, head.thread, head.from, head.length, head.spentOn]}
        more={waits.more.longest}
      >
        {waits.longest.map((wait) => (
          <tr key={`${wait.seq} ${wait.holder} ${wait.from}`}>
            <td data-label={head.lock}>
              <LockName lock={wait} />
            </td>
            <td data-label={head.thread}>
              <Person lockId="" id={wait.holder} isAmongLocks />
            </td>
            <td data-label={head.from}>
              <Beginning of={wait} />
            </td>
            <td data-label={head.length}>{lengthText(wait, waits.to, wait.isOpenStart, texts)}</td>
            <td data-label={head.spentOn}>
              <SpentOn parts={wait.parts} share={wait.ms / longest} lock={wait.lock} />
            </td>
          </tr>
        ))}
      </PlainTable>
      {waits.longest.length > 0 && (
        <p>
          <TableMenu name={texts.by.longest} take={() => waitRows(waits)} />
        </p>
      )}
    </>
  );
}

/** When a hold or wait began, as a link to the timeline. */
function Beginning({ of: { seq, from, lock } }: { of: { seq: number; from: number; lock: string } }) {
  return <Link to={timelineAt({ seq, at: redisTime(from) }, lock)}>{millisText(from)}</Link>;
}

type Text = ReturnType<typeof useWords>['waits'];

/** How long a hold or wait took; how long so far if it goes on, and at least how long if its beginning was not seen. */
function lengthText(span: { from: number; to: number | null }, now: number, isOpenStart: boolean, texts: Text): string {
  const length = durationText(((span.to ?? now) - span.from) / 1000);
  const known = isOpenStart ? texts.atLeast(length) : length;
  return span.to === null ? texts.goesOn(known) : known;
}
