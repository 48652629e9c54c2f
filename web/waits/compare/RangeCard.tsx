import { millisBetween, redisTime } from '../../../shared/base/time.ts';
import { timelineIn } from '../../cursor/routes-now.ts';
import { problemFromError } from '../../data/http/http.ts';
import { forgottenOf } from '../../data/queries/past-locks.ts';
import type { ShownWaits } from '../../data/queries/waits.ts';
import { durationText, endTexts, millisText } from '../../ui/time-text.ts';
import { Link } from '../../url/router.tsx';
import { useWords } from '../../words/language.ts';
import type { Words } from '../../words/words.ts';
import { SpentOn } from '../SpentOn.tsx';
import { noWaitsText, timeText } from '../waits-text.ts';
import { type Gap, gapsOf } from './comparison.ts';

type RangeCardProps = { title: string; waits: ShownWaits | undefined; error: unknown };

/** One of two ranges: when it was, what was not seen of it, and what its waits were spent on. */
export function RangeCard({ title, waits, error }: RangeCardProps) {
  const words = useWords();
  const { waits: texts } = words;
  return (
    <section className="card waits-column" aria-label={title} aria-busy={!waits && !error}>
      <h2>{title}</h2>
      {error ? (
        <Failure error={error} />
      ) : waits ? (
        <Seen waits={waits} />
      ) : (
        <p className="quiet">{texts.compare.reading}</p>
      )}
    </section>
  );
}

function Failure({ error }: { error: unknown }) {
  const words = useWords();
  const { message, hint } = problemFromError(error, words);
  const forgotten = forgottenOf(error);
  if (forgotten) {
    const { oldestAt } = forgotten;
    return (
      <div role="alert">
        <p>
          <b>{words.waits.compare.forgotten}</b>
        </p>
        <p>{oldestAt === null ? words.pastInstant.memoryEmpty : words.moment.memoryBack(millisText(oldestAt))}</p>
      </div>
    );
  }
  return (
    <div role="alert">
      <p>
        <b>{message}</b>
      </p>
      <p>{hint}</p>
    </div>
  );
}

function Seen({ waits }: { waits: ShownWaits }) {
  const { waits: texts } = useWords();
  const { total } = waits;
  const [from, to] = [redisTime(waits.askedFrom ?? waits.from), redisTime(waits.askedTo ?? waits.to)];
  const gaps = gapsOf(waits);
  return (
    <>
      <p className="waits-range">
        <b>{texts.between(...endTexts(from, to, millisText), durationText(millisBetween(from, to)))}</b>
        <Link to={timelineIn({ from, to })}>{texts.inTimeline}</Link>
      </p>
      {gaps.length === 0 ? (
        <p className="quiet">{texts.compare.whole}</p>
      ) : (
        <ul className="waits-gaps">
          {gaps.map((gap) => (
            <li key={'source' in gap ? `${gap.why} ${gap.source}` : gap.why}>{gapText(gap, texts.compare)}</li>
          ))}
        </ul>
      )}
      <p>
        {total.waits === 0
          ? noWaitsText(waits, texts)
          : texts.total(total.waits, timeText(total.waitedMs, total.isAtLeast, texts))}
      </p>
      {total.waits > 0 && <SpentOn parts={total.parts} share={1} />}
    </>
  );
}

function gapText(gap: Gap, { gap: texts }: Words['waits']['compare']): string {
  return 'until' in gap ? texts[gap.why](millisText(gap.until)) : texts[gap.why](gap.source, durationText(gap.ms));
}
