import { ChevronRight } from 'lucide-react';
import { plusMillis } from '../../../shared/base/time.ts';
import { Icon } from '../../ui/Icon.tsx';
import { lockRoute, TIMELINE } from '../../url/route.ts';
import { Link } from '../../url/router.tsx';
import { useWords } from '../../words/language.ts';
import { turningPoint } from '../beats/turning-point.ts';
import { useStageView } from '../playback/use-stage.ts';

export type EndingButtonsProps = { onAgain: () => void; onYourself: (() => void) | null };

/** What to do after a scenario: play it again, drive it by hand, or see the same in the product. */
export function EndingButtons({ onAgain, onYourself }: EndingButtonsProps) {
  const { storyboard, picture } = useStageView();
  const { stage, lessons } = useWords();
  const words = stage.summary;
  const { run } = storyboard;
  const seen = run.events.find(({ lock }) => lock === run.lock);
  const link = {
    ...TIMELINE.link,
    lock: run.lock,
    view: { from: plusMillis(run.from, -500), to: plusMillis(picture.at, 500) },
    at: picture.at,
  };
  return (
    <div className="stage-ending-buttons">
      <button type="button" className="button is-primary" onClick={onAgain}>
        {words.again}
      </button>
      {onYourself && (
        <button type="button" className="button" onClick={onYourself}>
          {words.yourself}
        </button>
      )}
      {seen && (
        <Link className="button" to={{ ...lockRoute({ ...seen, name: run.lock }), at: turningPoint(storyboard) }}>
          {lessons.lockPage} <Icon of={ChevronRight} />
        </Link>
      )}
      <Link className="button" to={{ ...TIMELINE, link }}>
        {words.timeline} <Icon of={ChevronRight} />
      </Link>
    </div>
  );
}
