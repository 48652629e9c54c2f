import { useState } from 'react';
import { isMeasured } from '../../shared/doctor/level-costs.ts';
import type { SourceReport } from '../../shared/wire/doctor.ts';
import type { ObserveLevel } from '../../shared/wire/source.ts';
import { problemFromError } from '../data/http/http.ts';
import { useMeasure } from '../data/queries/doctor.ts';
import { Modal } from '../ui/Modal.tsx';
import type { DoctorWords } from '../words/en/pages/doctor.ts';
import { useWords } from '../words/language.ts';

type MeasureDialogProps = { report: SourceReport; doctor: DoctorWords; onClose: () => void };

/** Each level is on twice for 1 s, and 1 s without a level follows each time. */
const SECONDS_PER_LEVEL = 4;

/** Asks before levels are measured: what will run, and for how long. */
export function MeasureDialog({ report, doctor, onClose }: MeasureDialogProps) {
  const words = useWords();
  const { cost } = doctor.page;
  const possible = report.levels.filter(({ level, works }) => works && isMeasured(level)).map(({ level }) => level);
  const [chosen, setChosen] = useState<readonly ObserveLevel[]>(possible);
  const measure = useMeasure();
  const failure = measure.error && problemFromError(measure.error, words);
  const toggle = (level: ObserveLevel) =>
    setChosen(chosen.includes(level) ? chosen.filter((each) => each !== level) : [...chosen, level]);
  const start = () => measure.mutate({ source: report.source, levels: chosen }, { onSuccess: onClose });
  return (
    <Modal title={cost.dialog} onClose={onClose}>
      <div className="modal-body doctor-dialog">
        <p>
          {cost.what} {cost.takes(1 + SECONDS_PER_LEVEL * chosen.length)}
        </p>
        {chosen.includes('monitor') && (
          <p>
            <b>{cost.monitor}</b>
          </p>
        )}
        <p>{cost.guard}</p>
        <p className="quiet">
          {cost.first} {cost.beside}
        </p>
        <fieldset className="doctor-choice">
          <legend>{cost.choose}</legend>
          {possible.map((level) => (
            <label key={level}>
              <input type="checkbox" checked={chosen.includes(level)} onChange={() => toggle(level)} />{' '}
              {words.health.level[level]}
            </label>
          ))}
        </fieldset>
        {failure && (
          <p role="alert" className="refusal">
            <span aria-hidden="true">✕</span> {failure.message} {failure.hint}
          </p>
        )}
        <div className="popover-actions">
          <button
            type="button"
            className="button is-primary"
            disabled={chosen.length === 0 || measure.isPending}
            onClick={start}
          >
            {cost.start}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {cost.notNow}
          </button>
        </div>
      </div>
    </Modal>
  );
}
