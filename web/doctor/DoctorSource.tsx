import { FINDING_STATES } from '../../shared/doctor/finding.ts';
import { togetherBySameReason } from '../../shared/doctor/together.ts';
import type { SourceReport } from '../../shared/wire/doctor.ts';
import { Notice } from '../ui/Notice.tsx';
import type { DoctorWords } from '../words/en/pages/doctor.ts';
import { useWords } from '../words/language.ts';
import { problemText } from '../words/problem-text.ts';
import { DoctorCosts } from './DoctorCosts.tsx';
import { DoctorFinding } from './DoctorFinding.tsx';

type DoctorSourceProps = { report: SourceReport; doctor: DoctorWords; isOnly: boolean };

/** What the doctor found on one server: dangers first, what is good last and folded. */
export function DoctorSource({ report, doctor, isOnly }: DoctorSourceProps) {
  const words = useWords();
  const { page } = doctor;
  const { source, url, problem, findings } = report;
  const name = isOnly ? url : `${source} · ${url}`;
  const trouble = problem && problemText(words, problem);
  const open = FINDING_STATES.filter((state) => state !== 'good').flatMap((state) =>
    togetherBySameReason(findings.filter((finding) => finding.state === state)),
  );
  const good = findings.filter(({ state }) => state === 'good');
  return (
    <section className="panel doctor-source" aria-label={name}>
      <h2>{name}</h2>
      {trouble && (
        <Notice tone="problem" title={trouble.message}>
          {trouble.hint}
        </Notice>
      )}
      {open.length > 0 && (
        <ul className="doctor-findings">
          {open.map((group) => (
            <DoctorFinding key={group[0].id} group={group} doctor={doctor} />
          ))}
        </ul>
      )}
      {good.length > 0 && (
        <details className="doctor-good">
          <summary>
            <span aria-hidden="true">✓</span> {page.good(good.length)}
          </summary>
          <ul className="doctor-findings">
            {good.map((finding) => (
              <DoctorFinding key={finding.id} group={[finding]} doctor={doctor} />
            ))}
          </ul>
        </details>
      )}
      {!problem && (
        <>
          <Levels report={report} doctor={doctor} />
          <DoctorCosts report={report} doctor={doctor} />
        </>
      )}
    </section>
  );
}

/** Which levels work on this server with this user. */
function Levels({ report: { levels, unseen }, doctor: { page } }: { report: SourceReport; doctor: DoctorWords }) {
  const words = useWords();
  const { health } = words;
  return (
    <section>
      <h3>{page.levels}</h3>
      <ul className="doctor-levels">
        {levels.map(({ level, works, why }) => (
          <li key={level}>
            <span aria-hidden="true">{works ? '✓' : '✕'}</span> <b>{health.level[level]}</b>{' '}
            {works ? page.works : page.worksNot} {words.levels.sees[level]} {!works && <code>{why}</code>}
          </li>
        ))}
      </ul>
      {unseen && (
        <>
          <h3>{page.unseen}</h3>
          <ul className="plain-list">
            {unseen.map((limit) => (
              <li key={limit.message}>{problemText(words, limit).message}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
