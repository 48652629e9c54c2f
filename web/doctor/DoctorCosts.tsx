import { useState } from 'react';
import type { Costs, LevelCost, Measurement, SourceReport } from '../../shared/wire/doctor.ts';
import { useCancelMeasurement, useMeasurement } from '../data/queries/doctor.ts';
import { PlainTable } from '../ui/PlainTable.tsx';
import { sizeText } from '../ui/size-text.ts';
import { countText } from '../ui/time-text.ts';
import type { DoctorWords } from '../words/en/pages/doctor.ts';
import { useWords } from '../words/language.ts';
import { problemText } from '../words/problem-text.ts';
import { MeasureDialog } from './MeasureDialog.tsx';

type PartProps = { report: SourceReport; doctor: DoctorWords };

/** What each level costs a server, as far as the costs were measured, and the button that measures them. */
export function DoctorCosts({ report, doctor }: PartProps) {
  const { cost } = doctor.page;
  const { data: measurement = null } = useMeasurement();
  const [isAsking, setAsking] = useState(false);
  const isRunning = measurement?.state === 'running';
  const own = measurement?.source === report.source ? measurement : null;
  return (
    <section className="doctor-costs">
      <h3>{cost.title}</h3>
      {own === null ? (
        <p className="quiet">{isRunning ? cost.elsewhere(measurement.source) : cost.none}</p>
      ) : (
        <State measurement={own} doctor={doctor} />
      )}
      {!isRunning && report.canObserve && (
        <button type="button" className="button" onClick={() => setAsking(true)}>
          {own === null ? cost.measure : cost.measureAgain}
        </button>
      )}
      {isAsking && <MeasureDialog report={report} doctor={doctor} onClose={() => setAsking(false)} />}
    </section>
  );
}

function State({ measurement, doctor }: { measurement: Measurement; doctor: DoctorWords }) {
  const words = useWords();
  const { cost } = doctor.page;
  const { state, costs, problem } = measurement;
  if (state === 'running') return <Progress measurement={measurement} doctor={doctor} />;
  if (costs) return <Table costs={costs} doctor={doctor} />;
  const why = problem && problemText(words, problem);
  return (
    <p role="status">
      {state === 'cancelled' ? cost.cancelled : cost.failed} {why && `${why.message} ${why.hint}`}
    </p>
  );
}

function Progress({ measurement, doctor }: { measurement: Measurement; doctor: DoctorWords }) {
  const { health } = useWords();
  const { cost } = doctor.page;
  const cancel = useCancelMeasurement();
  const { level, step, steps } = measurement;
  return (
    <div className="doctor-progress">
      <progress aria-label={cost.title} value={step} max={steps} />
      <p role="status">{cost.running(level === null ? null : health.level[level])}</p>
      <button type="button" className="button" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
        {cost.cancel}
      </button>
    </div>
  );
}

function Table({ costs, doctor }: { costs: Costs; doctor: DoctorWords }) {
  const words = useWords();
  const { cost, verdict } = doctor.page;
  const { commandsPerSecond, cpuShare, levels } = costs;
  const range = ({ low, high }: { low: number; high: number }, text: (value: number) => string) =>
    cost.range(text(low), text(high));
  const sure = ({ verdict: word, problem }: LevelCost) => {
    const why = problem && problemText(words, problem).message;
    return why === undefined ? verdict[word] : `${verdict[word]}: ${why}`;
  };
  return (
    <>
      <p role="status">
        {commandsPerSecond === null
          ? cost.noFigures
          : cost.without(range(commandsPerSecond, countText), cpuShare && range(cpuShare, percentText))}
      </p>
      <PlainTable label={cost.title} boxLabel={cost.title} heads={cost.heads} more={0}>
        {levels.map((each) => (
          <tr key={each.level}>
            <th scope="row">{words.health.level[each.level]}</th>
            <td>{each.cpuShare ? cost.ofCore(range(each.cpuShare, percentText)) : cost.noValue}</td>
            <td>
              {each.outputBytesPerSecond ? cost.perSecond(range(each.outputBytesPerSecond, signedSize)) : cost.noValue}
            </td>
            <td>{sure(each)}</td>
          </tr>
        ))}
      </PlainTable>
    </>
  );
}

function percentText(share: number): string {
  return `${(share * 100).toFixed(1).replace('-', '−')} %`;
}

function signedSize(bytes: number): string {
  return bytes < 0 ? `−${sizeText(-bytes)}` : sizeText(bytes);
}
