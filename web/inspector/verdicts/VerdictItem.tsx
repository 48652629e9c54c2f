import { type ReactNode, useState } from 'react';
import { redisTime } from '../../../shared/base/time.ts';
import type { WireInsight } from '../../../shared/wire/insight.ts';
import { lockNow, timelineAt } from '../../cursor/routes-now.ts';
import { useFromShownNow } from '../../cursor/shown-instant.ts';
import { useLive } from '../../data/use-live.ts';
import { NameText } from '../../ui/NameText.tsx';
import { ageText, secondsText } from '../../ui/time-text.ts';
import { Link } from '../../url/router.tsx';
import { useWords } from '../../words/language.ts';
import { insightTexts } from './insight-texts.ts';
import { ShareVerdict } from './ShareVerdict.tsx';

type VerdictItemProps = { insight: WireInsight; isOpen?: boolean; isOfLock?: boolean };

/** One problem: a line with its lock, its title and its end; when it is opened, the explanation and what to do. */
export function VerdictItem({ insight, isOpen = false, isOfLock = false }: VerdictItemProps) {
  const words = useWords();
  const said = words.verdicts;
  const names = useLive((state) => state.names);
  const [isShown, setShown] = useState(isOpen);
  const { title, explanation, advice } = insightTexts(insight, words, names);
  const { severity, confidence, source, db, lock } = insight;
  return (
    <li className={`verdict is-${severity}`}>
      <details open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
        <summary>
          <b className="verdict-severity">{said.severity[severity]}</b>
          <span className="verdict-title">{title}</span>
          <span className="verdict-end">
            <When insight={insight} />
          </span>
        </summary>
        <p>
          {explanation}{' '}
          <span className="quiet" title={said.confidenceMeaning[confidence]}>
            ({said.confidence[confidence]})
          </span>
        </p>
        <p>
          <b>{said.what}</b> {advice}
        </p>
      </details>
      <p className="verdict-ways">
        {lock === undefined || db === undefined ? (
          <span className="quiet">{said.ofSource(source)}</span>
        ) : (
          !isOfLock && (
            <Link to={lockNow({ name: lock, source, db })} className="verdict-lock">
              <NameText text={lock} most={80} isOneLine />
            </Link>
          )
        )}
        <Evidence insight={insight} />
        <Link
          to={{ page: 'incident-help', incident: insight.incident }}
          className="button is-small"
          title={said.whyHint}
        >
          {said.whyProblem}
        </Link>
        <ShareVerdict insight={insight} />
      </p>
    </li>
  );
}

/** A problem that lasts this much longer than expected does not end now. */
const LATE_MS = 3000;

/** When the problem ends by itself, or when it happened. */
function When({ insight: { source, from, to, isAtLeast, selfHealsAt } }: { insight: WireInsight }): ReactNode {
  const { verdicts: said } = useWords();
  return useFromShownNow(source, (now) => {
    if (to !== null) return said.happened(secondsText(from));
    const leftMs = selfHealsAt === null || now === null ? null : (selfHealsAt - now) / 1000;
    if (leftMs === null || leftMs < -LATE_MS) return (isAtLeast ? said.sinceBefore : said.since)(secondsText(from));
    return leftMs < 1000 ? said.ending : said.endsIn(ageText(leftMs));
  });
}

/** A link to the newest event that shows the problem, on the timeline. */
function Evidence({ insight: { events, from, lock } }: { insight: WireInsight }) {
  const { verdicts: said } = useWords();
  const seq = events.at(-1);
  if (seq === undefined) return null;
  return (
    <Link
      to={timelineAt({ seq, at: redisTime(from) }, lock ?? '')}
      className="button is-small"
      title={said.evidenceHint}
    >
      {said.evidence}
    </Link>
  );
}
