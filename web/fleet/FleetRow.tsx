import type { FleetSource } from '../../shared/wire/fleet/fleet.ts';
import { NameText } from '../ui/NameText.tsx';
import { countText, durationText, secondsText } from '../ui/time-text.ts';
import { incidentTitle } from '../words/incident-title.ts';
import { useWords } from '../words/language.ts';
import { lockHref, sourceHref } from './source-href.ts';

/** One source of the fleet: its problems, its figures, and whether it is watched. */
export function FleetRow({ source }: { source: FleetSource }) {
  const { fleet, states } = useWords();
  const { head } = fleet;
  const { name, urls, counts, longestWaitMs, level, lagMs, observer } = source;
  return (
    <tr className={source.isWatched ? undefined : 'is-unwatched'}>
      <th scope="row">
        <a href={sourceHref(name)}>
          <NameText text={name} most={60} />
        </a>{' '}
        <span className="quiet">{urls.length === 1 ? urls[0] : fleet.sources(urls.length)}</span>
      </th>
      <td data-label={head.state}>
        <SourceState source={source} />
      </td>
      <td data-label={head.problems}>
        <Problems source={source} />
      </td>
      <td data-label={head.held}>{countText(counts.held)}</td>
      <td data-label={head.waiting}>{countText(counts.waiting)}</td>
      <td data-label={head.longest}>{longestWaitMs === null ? '–' : durationText(longestWaitMs)}</td>
      <td data-label={head.level}>{level === null ? '–' : states.recordedLevel[level]}</td>
      <td data-label={head.lag}>{durationText(lagMs)}</td>
      <td data-label={head.observer}>
        {fleet.activeSince(observer.host, secondsText(observer.since * 1000))}{' '}
        <span className="quiet">{fleet.standbys(observer.standbys)}</span>
      </td>
    </tr>
  );
}

function SourceState({ source: { isWatched, notLiveSince, blindSince, isFollowed } }: { source: FleetSource }) {
  const { fleet } = useWords();
  if (notLiveSince !== null) return <b>○ {fleet.notLive(secondsText(notLiveSince * 1000))}</b>;
  if (blindSince !== null) return <b>○ {fleet.blind(secondsText(blindSince * 1000))}</b>;
  if (!isWatched) return <b>○ {fleet.notWatched}</b>;
  return (
    <>
      ● {fleet.live} {isFollowed && <span className="quiet">{fleet.followed}</span>}
    </>
  );
}

function Problems({ source: { name, critical, warnings, hints, more, spanning, worst } }: { source: FleetSource }) {
  const { common, fleet, verdicts } = useWords();
  const shown = worst.filter(({ severity }) => severity !== 'hint');
  return (
    <>
      {critical > 0 && <b className="fleet-critical">✕ {fleet.critical(critical)}</b>}{' '}
      {warnings > 0 && <span>{fleet.warnings(warnings)}</span>}
      {spanning > 0 && <b className="fleet-critical">✕ {fleet.spanning.part}</b>}
      {critical + warnings + spanning === 0 && <span className="quiet">{fleet.noProblems}</span>}
      {shown.length > 0 && (
        <ul className="plain-list fleet-worst">
          {shown.map((each) => (
            <li key={`${each.incident} ${each.lock ?? ''} ${each.db ?? ''}`}>
              <FleetProblem name={name} problem={each} />
            </li>
          ))}
        </ul>
      )}
      {hints > 0 && <div className="quiet">{verdicts.hints(hints)}</div>}
      {more > 0 && <div className="quiet">{common.andMore(more)}</div>}
    </>
  );
}

/** A problem by its title. If it is about a lock, with a link to that lock. */
function FleetProblem({
  name,
  problem: { incident, lock, db, source },
}: {
  name: string;
  problem: FleetSource['worst'][number];
}) {
  const title = incidentTitle(incident, useWords());
  if (lock === undefined || db === undefined) return title;
  return (
    <>
      <a href={lockHref(name, { name: lock, source, db })}>
        <NameText text={lock} most={40} />
      </a>{' '}
      {title}
    </>
  );
}
