import { countdownText, unbroken } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { comparisonFrom } from '../beats/comparison-from-run.ts';
import { wakeText } from '../captions/caption.ts';
import { useStageView } from '../playback/use-stage.ts';

/** The measured wake-up times of this run: by a message, and by the waiter's own timer. */
export function WakeUps() {
  const { score } = useStageView();
  const all = useWords();
  const words = all.stage.summary;
  const comparison = comparisonFrom(score);
  if (!comparison) return null;
  const { messageMs, timerMs, before } = comparison;
  return (
    <section className="stage-wake-ups" aria-label={words.label}>
      {messageMs !== null && (
        <div className="stage-card stage-wake-up">
          <h3>
            <span aria-hidden="true">◆</span> {words.released}
          </h3>
          <p>{words.byMessage(unbroken(wakeText(messageMs, all.time)))}</p>
        </div>
      )}
      {timerMs !== null && (
        <div className="stage-card stage-wake-up is-lost">
          <h3>
            <span aria-hidden="true">✕</span> {words.noMessage[before ?? 'ran-out']}
          </h3>
          <p>{words.byTimer(unbroken(countdownText(timerMs)))}</p>
        </div>
      )}
    </section>
  );
}
