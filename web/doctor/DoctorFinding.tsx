import type { FindingState } from '../../shared/doctor/finding.ts';
import type { FindingView } from '../../shared/wire/doctor.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { NameText } from '../ui/NameText.tsx';
import { Link } from '../url/router.tsx';
import type { DoctorWords } from '../words/en/pages/doctor.ts';
import { findingText } from '../words/finding-text.ts';

const SIGNS: Readonly<Record<FindingState, string>> = { danger: '✕', warning: '▲', unknown: '?', info: 'i', good: '✓' };

type DoctorFindingProps = { group: readonly [FindingView, ...FindingView[]]; doctor: DoctorWords };

/** Findings with one reason: what they are, why it matters, the lines that change it, and the values that were read. */
export function DoctorFinding({ group, doctor }: DoctorFindingProps) {
  const { page } = doctor;
  const [finding] = group;
  const { state, fix } = finding;
  const { why, advice } = findingText(finding, doctor.findings);
  return (
    <li className={`doctor-finding is-${state}`}>
      <span className="doctor-state">
        <span aria-hidden="true">{SIGNS[state]}</span> {page.state[state]}
      </span>
      <div className="doctor-text">
        {group.map((each) => (
          <h3 key={each.id}>{findingText(each, doctor.findings).title}</h3>
        ))}
        <p>{why}</p>
        {advice !== '' && <p>{advice}</p>}
        {fix.length > 0 && <Fixes lines={fix} page={page} />}
        <Read group={group} page={page} />
        {group.length === 1 && <FurtherReading finding={finding} page={page} />}
      </div>
    </li>
  );
}

/** The values that were read. */
function Read({ group, page }: { group: readonly FindingView[]; page: DoctorWords['page'] }) {
  const read = group.flatMap((each) => each.read);
  if (read.length === 0) return null;
  return (
    <p className="quiet doctor-read">
      {page.read}:
      {read.map(({ name, value }) => (
        <code key={name}>
          {name} <NameText text={value} most={200} />
        </code>
      ))}
    </p>
  );
}

/** Where to read more about a finding. */
function FurtherReading({
  finding: { reference, incident },
  page,
}: {
  finding: FindingView;
  page: DoctorWords['page'];
}) {
  return (
    <p className="quiet doctor-more">
      <a href={reference} target="_blank" rel="noreferrer">
        {page.reference}
      </a>
      {incident !== undefined && <Link to={{ page: 'incident-help', incident }}>{page.help}</Link>}
    </p>
  );
}

/** The lines that change a setting or grant a right, each with a button that copies it. */
function Fixes({ lines, page }: { lines: readonly string[]; page: DoctorWords['page'] }) {
  return (
    <>
      <ul className="doctor-fixes">
        {lines.map((line) => (
          <li key={line}>
            <code>
              <NameText text={line} most={400} />
            </code>{' '}
            <CopyButton text={line} />
          </li>
        ))}
      </ul>
      {lines.some((line) => line.startsWith('CONFIG SET')) && <p className="quiet">{page.rewrite}</p>}
    </>
  );
}
