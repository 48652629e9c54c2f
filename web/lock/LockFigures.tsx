import type { LockDetail } from '../../shared/wire/locks/lock.ts';
import { useFromRedisNow, useIsOpenRecording, useLive } from '../data/live/use-live.ts';
import { Fact } from '../parts/Fact.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { NameText } from '../ui/NameText.tsx';
import { ageText, countText } from '../ui/time-text.ts';
import { WideBox } from '../ui/WideBox.tsx';
import { useWords } from '../words/language.ts';

/**
 * Statistics of a lock since Lockscope has known it. If the level hides refusals, their count is shown as a lower
 * limit, or as a dash if it is 0.
 */
export function LockStats({ stats, seesRefusals }: { stats: LockDetail['stats']; seesRefusals: boolean }) {
  const { lock, lockPage } = useWords();
  const textOf = (name: (typeof counts)[number]) => {
    const count = countText(stats[name]);
    if (name !== 'refusals' || seesRefusals) return count;
    return <span title={lock.waitersHiddenWhy}>{stats.refusals === 0 ? '–' : lock.orMore(count)}</span>;
  };
  const counts = ['acquisitions', 'refusals', 'renewals', 'expiries'] as const;
  return (
    <section aria-label={lock.statistics} className="panel is-wide">
      <h2>
        {lock.statistics} <span className="quiet is-right">{lockPage.sinceWatched}</span>
      </h2>
      <dl className="facts is-row">
        {counts.map((name) => (
          <Fact key={name} name={lockPage.statistic[name]}>
            {textOf(name)}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

type KeyTableProps = { keys: LockDetail['keys']; source: string; changedAt: number; isRead: boolean };

/** The Redis keys and channels of a lock, with the time since their state was last confirmed. */
export function KeyTable({ keys, source, changedAt, isRead }: KeyTableProps) {
  const { common, lock, lockPage } = useWords();
  return (
    <section aria-label={lock.keys} className="panel">
      <h2>
        {lock.keys} {isRead && <KeysSeen source={source} changedAt={changedAt} />}
      </h2>
      <WideBox label={lockPage.keyTable} className="plain-table">
        <table aria-label={lock.keys}>
          <thead>
            <tr>
              <th scope="col">{lockPage.keyColumn.key}</th>
              <th scope="col">{lockPage.keyColumn.role}</th>
              <th scope="col">{lockPage.keyColumn.type}</th>
              <th scope="col">
                <span className="only-heard">{common.copy}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map(({ key, role, type }) => (
              <tr key={`${role} ${key}`}>
                <td>
                  <NameText text={key} most={64} className="is-code" />
                </td>
                <td>{lockPage.keyRole[role] ?? role}</td>
                <td>{type}</td>
                <td>
                  <CopyButton text={key} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideBox>
    </section>
  );
}

/**
 * The age of the newest event about the lock, or of the newest snapshot, whichever is later. Hidden from screen readers
 * because it changes all the time.
 */
function KeysSeen({ source, changedAt }: { source: string; changedAt: number }) {
  const { charts } = useWords();
  const snapshotAt = useLive((state) => state.sources.find(({ id }) => id === source)?.snapshotAt ?? 0);
  const isRecording = useIsOpenRecording();
  const text = useFromRedisNow(source, (now) => {
    if (now === null) return null;
    const seconds = Math.ceil((now - Math.max(changedAt, snapshotAt)) / 1_000_000);
    return ageText((Math.max(0, seconds) + 1) * 1000); // until the next tick, it is not older than that
  });
  if (text === null || isRecording) return null;
  return (
    <span className="quiet is-right" aria-hidden="true">
      {charts.seen(text)}
    </span>
  );
}
