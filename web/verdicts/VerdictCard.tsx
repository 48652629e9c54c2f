import { useState } from 'react';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { useLive } from '../data/live/use-live.ts';
import { NameText } from '../ui/NameText.tsx';
import { WholeWords } from '../ui/WholeWords.tsx';
import { useWords } from '../words/language.ts';
import EvidencePicture from './EvidencePicture.tsx';
import { insightTexts, whoOf } from './insight-texts.ts';
import { VerdictNotes } from './VerdictNotes.tsx';
import { Evidence, Explained, isOver, Place, VerdictLinks, When } from './VerdictParts.tsx';
import { firstSentence, verdictLine } from './verdict-line.ts';

/**
 * The worst problem, first on the page: its lock, the number of waiters, its title, its picture, its end, and what to
 * do.
 */
export function VerdictCard({ insight }: { insight: WireInsight }) {
  const words = useWords();
  const { verdicts: texts, verdictDetails } = words;
  const names = useLive((state) => state.names);
  const [isShown, setShown] = useState(false);
  const { title, advice } = insightTexts(insight, words, names);
  const { who, victims } = verdictLine(insight, whoOf(names), texts);
  const { severity } = insight;
  return (
    <li className={`verdict-card is-${severity}`}>
      <div className="verdict-card-text">
        <p className="verdict-lead">
          <Place insight={insight} /> {victims !== null && <b className="verdict-victims">{victims}</b>}{' '}
          <span className="verdict-title">{title}</span>
        </p>
        <p className="verdict-facts">
          <b className="verdict-severity">{texts.severity[severity]}</b>
          {who !== null && <NameText text={who} most={60} />}
          {isOver(insight) && <b>{verdictDetails.mayBeWrong}</b>}
          <span className="verdict-end">
            <When insight={insight} />
          </span>
        </p>
        {!isShown && (
          <p className="verdict-do">
            <WholeWords text={firstSentence(advice)} />
          </p>
        )}
      </div>
      <EvidencePicture insight={insight} />
      <VerdictLinks insight={insight}>
        <Evidence insight={insight} className="button is-primary" />
      </VerdictLinks>
      <details open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
        <summary>{texts.details}</summary>
        {isShown && <Explained insight={insight} />}
      </details>
      <VerdictNotes insight={insight.id} />
    </li>
  );
}
