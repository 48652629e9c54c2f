import { useState } from 'react';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { useLive } from '../data/live/use-live.ts';
import { NameText } from '../ui/NameText.tsx';
import { WholeWords } from '../ui/WholeWords.tsx';
import { useWords } from '../words/language.ts';
import { insightTexts, whoOf } from './insight-texts.ts';
import { VerdictNotes } from './VerdictNotes.tsx';
import { Evidence, Explained, isOver, Place, VerdictLinks, When } from './VerdictParts.tsx';
import { firstSentence, verdictLine } from './verdict-line.ts';

type VerdictItemProps = { insight: WireInsight; isOpen?: boolean; isOfLock?: boolean };

/**
 * One problem, in a line: its lock, what it is, the threads, since when and until when, and what to do. The opened line
 * shows the explanation, what to do now, and what prevents the problem later.
 */
export function VerdictItem({ insight, isOpen = false, isOfLock = false }: VerdictItemProps) {
  const words = useWords();
  const { verdicts: texts, verdictDetails } = words;
  const names = useLive((state) => state.names);
  const [isShown, setShown] = useState(isOpen);
  const { title, advice } = insightTexts(insight, words, names);
  const { who, victims } = verdictLine(insight, whoOf(names), texts);
  const { severity } = insight;
  return (
    <li className={`verdict is-${severity}`}>
      <b className="verdict-severity">{texts.severity[severity]}</b>
      {!isOfLock && <Place insight={insight} />}
      <details open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
        <summary>
          <span className="verdict-title">{title}</span>
          {who !== null && <NameText text={who} most={60} />}
          {victims !== null && <b>{victims}</b>}
          {isOver(insight) && <b>{verdictDetails.mayBeWrong}</b>}
          <span className="verdict-end">
            <When insight={insight} />
          </span>
          {!isShown && (
            <span className="verdict-do">
              <WholeWords text={firstSentence(advice)} />
            </span>
          )}
        </summary>
        {isShown && <Explained insight={insight} />}
      </details>
      <VerdictLinks insight={insight}>
        <Evidence insight={insight} className="button is-small" />
      </VerdictLinks>
      <VerdictNotes insight={insight.id} />
    </li>
  );
}
