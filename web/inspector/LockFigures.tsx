import type { LockDetail } from '../../shared/wire/lock.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { NameText } from '../ui/NameText.tsx';
import { countText, durationText } from '../ui/time-text.ts';
import { WideBox } from '../ui/WideBox.tsx';
import { Fact } from './HolderCard.tsx';

/** What happened to a lock so far, in numbers. */
export function LockStats({ stats }: { stats: LockDetail['stats'] }) {
  return (
    <section aria-label="Statistics" className="panel">
      <h2>Statistics</h2>
      <dl className="facts">
        <Fact name="Acquired">{countText(stats.acquisitions)} ×</Fact>
        <Fact name="Refused">{countText(stats.refusals)} ×</Fact>
        <Fact name="Renewed">{countText(stats.renewals)} ×</Fact>
        <Fact name="Expired">{countText(stats.expiries)} ×</Fact>
        <Fact name="Holds">{spreadText(stats.holdMs)}</Fact>
        <Fact name="Waits">{spreadText(stats.waitMs)}</Fact>
      </dl>
    </section>
  );
}

function spreadText({ count, median, max }: LockDetail['stats']['holdMs']): string {
  if (count === 0 || median === null || max === null) return 'none over yet';
  return `${countText(count)} over, median ${durationText(median)}, longest ${durationText(max)}`;
}

/** The Redis keys and channels behind a lock. */
export function KeyTable({ keys }: { keys: LockDetail['keys'] }) {
  return (
    <section aria-label="Keys in Redis" className="panel">
      <h2>Keys in Redis</h2>
      <WideBox label="Table of keys" className="plain-table">
        <table aria-label="Keys in Redis">
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Role</th>
              <th scope="col">Type</th>
              <th scope="col">
                <span className="only-heard">Copy</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map(({ key, role, type }) => (
              <tr key={`${role} ${key}`}>
                <td>
                  <NameText text={key} most={64} className="is-code" />
                </td>
                <td>{role}</td>
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
