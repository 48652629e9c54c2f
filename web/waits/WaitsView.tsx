import { useState } from 'react';
import type { ShownWaits } from '../data/queries/waits.ts';
import { EmptyState, Notice } from '../ui/Notice.tsx';
import { Segments } from '../ui/Segments.tsx';
import { durationText, millisText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { CostTable } from './CostTable.tsx';
import { HoldTable, WaitTable } from './SpanTables.tsx';
import { SpentOn } from './SpentOn.tsx';
import { StatisticsTable } from './StatisticsTable.tsx';
import { useHolderName } from './use-holder-name.ts';
import { costliestText, isLater, mostText, noWaitsText, timeText } from './waits-text.ts';

const VIEWS = ['locks', 'clients', 'threads', 'holds', 'longest'] as const;
type View = (typeof VIEWS)[number];

/** The waits of one range: what they were spent on in all, then the rankings. */
export function WaitsView({ waits }: { waits: ShownWaits }) {
  const words = useWords();
  const { waits: texts } = words;
  const [view, setView] = useState<View>('locks');
  const nameOf = useHolderName();
  const { total } = waits;
  if (total.waits === 0) return <NoWaits waits={waits} />;
  return (
    <>
      {(waits.unseen.length > 0 || waits.isCut) && (
        <Notice tone="hint" title={texts.notAll}>
          <Unseen waits={waits} />
        </Notice>
      )}
      <section className="panel waits-total" aria-label={texts.title}>
        <p>
          <b>{texts.total(total.waits, timeText(total.waitedMs, total.isAtLeast, texts))}</b>{' '}
          {mostText(total, nameOf, words)} {costliestText(waits.holds, nameOf, words)}
        </p>
        <SpentOn parts={total.parts} share={1} />
        <Later waits={waits} />
      </section>
      <section className="panel waits-ranking as-cards" aria-label={texts.ranking}>
        <Segments
          label={texts.ranking}
          value={view}
          options={VIEWS.map((value) => ({ value, label: texts.by[value] }))}
          onChange={setView}
        />
        <Ranking waits={waits} view={view} />
        <p className="quiet">{texts.meaning}</p>
      </section>
      <Figures waits={waits} />
    </>
  );
}

function Ranking({ waits, view }: { waits: ShownWaits; view: View }) {
  if (view === 'holds') return <HoldTable waits={waits} />;
  return view === 'longest' ? <WaitTable waits={waits} /> : <CostTable waits={waits} by={view} />;
}

/** Shown if no wait is known. */
function NoWaits({ waits }: { waits: ShownWaits }) {
  const { waits: texts, verdicts } = useWords();
  return (
    <EmptyState title={noWaitsText(waits, texts)}>
      <Unseen waits={waits} />
      <Later waits={waits} />
      {waits.unseen.some(({ reason }) => reason === 'level') && <p>{verdicts.change}</p>}
    </EmptyState>
  );
}

function Unseen({ waits: { unseen, isCut, from } }: { waits: ShownWaits }) {
  const { waits: texts } = useWords();
  return (
    <>
      {unseen.map(({ source, reason, ms }) => (
        <p key={`${source} ${reason}`}>{texts.unseen[reason](source, durationText(ms))}</p>
      ))}
      {isCut && <p>{texts.cut(millisText(from))}</p>}
    </>
  );
}

/** Reports that memory does not go back to the beginning of the range. */
function Later({ waits }: { waits: ShownWaits }) {
  const { waits: texts } = useWords();
  return isLater(waits) ? <p className="quiet">{texts.later(millisText(waits.from))}</p> : null;
}

/** Figures about the range. */
function Figures({ waits }: { waits: ShownWaits }) {
  const { figures } = useWords().waits;
  return (
    <section className="panel waits-ranking as-cards" aria-label={figures.title}>
      <h2>{figures.title}</h2>
      <StatisticsTable waits={waits} />
    </section>
  );
}
