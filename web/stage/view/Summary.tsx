import { plusMillis } from '../../../shared/base/time.ts';
import { countdownText } from '../../ui/time-text.ts';
import { TIMELINE } from '../../url/route.ts';
import { Link } from '../../url/router.tsx';
import { useWords } from '../../words/language.ts';
import { wakeText } from '../captions/caption.ts';
import { useStageView } from '../playback/use-stage.ts';
import { comparisonFrom } from '../script/comparison-from-run.ts';

type SummaryProps = { onAgain: () => void; onYourself: (() => void) | null };

/** The end of the show: the measured times of both ways a waiter is woken, and buttons for what to do next. */
export function Summary({ onAgain, onYourself }: SummaryProps) {
  const { score, picture } = useStageView();
  const all = useWords();
  const words = all.stage.summary;
  const comparison = comparisonFrom(score);
  const { messageMs = null, timerMs = null, before = null } = comparison ?? {};
  const link = {
    ...TIMELINE.link,
    lock: score.run.lock,
    view: { from: plusMillis(score.run.from, -500), to: plusMillis(picture.at, 500) },
    at: picture.at,
  };
  return (
    <section className="stage-summary" aria-label={words.label}>
      {messageMs !== null && (
        <div className="stage-card stage-summary-card">
          <h3>
            <span aria-hidden="true">◆</span> {words.released}
          </h3>
          <p>{words.byMessage(wakeText(messageMs, all.time))}</p>
        </div>
      )}
      {timerMs !== null && (
        <div className="stage-card stage-summary-card is-lost">
          <h3>
            <span aria-hidden="true">✕</span> {words.noMessage[before ?? 'ran-out']}
          </h3>
          <p>{words.byTimer(countdownText(timerMs))}</p>
        </div>
      )}
      <div className="stage-summary-buttons">
        <button type="button" className="button is-primary" onClick={onAgain}>
          {words.again}
        </button>
        {onYourself && (
          <button type="button" className="button" onClick={onYourself}>
            {words.yourself}
          </button>
        )}
        <Link className="button" to={{ ...TIMELINE, link }}>
          {words.timeline}
        </Link>
      </div>
    </section>
  );
}
