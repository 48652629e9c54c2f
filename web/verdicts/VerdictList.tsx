import { useMemo, useState } from 'react';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { personText } from '../../shared/wire/person-text.ts';
import { useFromShownNow } from '../cursor/shown-instant.ts';
import { useLive } from '../data/live/use-live.ts';
import { useProblemLog } from '../data/queries/problem-log.ts';
import { NameText } from '../ui/NameText.tsx';
import { ageText, countText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { clientOfProblem, type EqualFacts, equalFacts, equalKey, type ProblemRow } from './equal-problems.ts';
import { insightTexts } from './insight-texts.ts';
import { VerdictCard } from './VerdictCard.tsx';
import { VerdictItem } from './VerdictItem.tsx';
import { isLate, isOver, Locks, Why } from './VerdictParts.tsx';

/** How many equal problems are listed at first, and how many more by each click. */
const STEP = 50;

type VerdictListProps = {
  rows: readonly ProblemRow[];
  /** The first problem is a card. */
  isLed?: boolean;
  /** The first problem is opened if it is critical. */
  isFirstOpen?: boolean;
  isOfLock?: boolean;
};

/** Problems, each as a line that opens; equal problems share a line. This code is loaded with the first problem. */
export default function VerdictList({ rows, isLed = false, isFirstOpen = false, isOfLock = false }: VerdictListProps) {
  const lead = isLed ? rows[0] : undefined;
  return (
    <ul className="verdict-list">
      {rows.map(({ key, insights }, n) => {
        const [insight, ...others] = insights;
        if (others.length > 0) {
          const isMore = lead !== undefined && equalKey(lead.insights[0]) === key;
          return <EqualProblems key={key} insights={insights} isMore={isMore} />;
        }
        if (isLed && n === 0) return <VerdictCard key={key} insight={insight} />;
        const isOpen = isFirstOpen && n === 0 && insight.severity === 'critical';
        return <VerdictItem key={key} insight={insight} isOpen={isOpen} isOfLock={isOfLock} />;
      })}
    </ul>
  );
}

type EqualProblemsProps = {
  insights: ProblemRow['insights'];
  /** One more of these problems is the card above. */
  isMore: boolean;
};

/**
 * Equal problems in a line: their number, the first locks, and since when. The opened line shows each problem as a line
 * of its own.
 */
function EqualProblems({ insights, isMore }: EqualProblemsProps) {
  const words = useWords();
  const { verdicts: texts, verdictDetails } = words;
  const names = useLive((state) => state.names);
  const [isShown, setShown] = useState(false);
  const facts = useMemo(() => equalFacts(insights), [insights]);
  const taken = useTaken(insights);
  const [first] = insights;
  const client = clientOfProblem(first);
  const { locks, waiting } = facts;
  const count = locks.length === insights.length ? texts.equal.locks : texts.equal.problems;
  return (
    <li className={`verdict is-equal is-${first.severity}`}>
      <b className="verdict-severity">{texts.severity[first.severity]}</b>
      <span className="verdict-locks">
        <b>{count(insights.length, isMore)}</b>
        <Locks locks={locks} />
      </span>
      <details open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
        <summary>
          <span className="verdict-title">{insightTexts(first, words, names).title}</span>
          {client !== null && <NameText text={personText(client, null, names.get(client) ?? null)} most={60} />}
          {waiting.count > 0 && <b>{(waiting.isAtLeast ? texts.waitAtLeast : texts.wait)(waiting.count)}</b>}
          {isOver(first) && <b>{verdictDetails.mayBeWrong}</b>}
          <span className="verdict-end">
            <EqualTimes facts={facts} source={first.source} />
          </span>
          {taken > 0 && <b>{texts.equal.taken(taken)}</b>}
        </summary>
        {isShown && <Each insights={insights} />}
      </details>
      <p className="verdict-ways">
        <Why incident={first.incident} />
      </p>
    </li>
  );
}

/** How many of the problems a user has acknowledged by the newest note about them. */
function useTaken(insights: readonly WireInsight[]): number {
  const log = useProblemLog();
  return useMemo(() => {
    const taken = new Set(log?.flatMap(({ insight, notes }) => (notes.at(-1)?.isAcknowledged ? insight : [])));
    return insights.filter(({ id }) => taken.has(id)).length;
  }, [insights, log]);
}

function EqualTimes({ facts, source }: { facts: EqualFacts; source: string }) {
  const { verdicts: texts, verdictDetails } = useWords();
  const { from, isAtLeast, to, selfHealsAt } = facts;
  return useFromShownNow(source, (now) => {
    if (to !== null) return verdictDetails.fromTo(secondsText(from), secondsText(to));
    const since = (isAtLeast ? texts.equal.sinceBefore : texts.equal.since)(secondsText(from));
    const leftMs = selfHealsAt === null || now === null ? null : (selfHealsAt - now) / 1000;
    if (leftMs === null || isLate(leftMs)) return since;
    return `${since}${leftMs < 1000 ? texts.equal.lastEnding : texts.equal.lastEnds(ageText(leftMs))}`;
  });
}

function Each({ insights }: { insights: readonly WireInsight[] }) {
  const { common } = useWords();
  const [most, setMost] = useState(STEP);
  return (
    <>
      <ul className="verdict-list">
        {insights.slice(0, most).map((insight) => (
          <VerdictItem key={insight.id} insight={insight} />
        ))}
      </ul>
      {insights.length > most && (
        <button type="button" className="button is-small" onClick={() => setMost(most + STEP)}>
          {common.listMore} ({countText(insights.length - most)})
        </button>
      )}
    </>
  );
}
