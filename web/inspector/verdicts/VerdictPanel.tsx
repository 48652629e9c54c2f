import { useContext } from 'react';
import { INCIDENTS_OF_DUMPS } from '../../../shared/insights/values/jvm.ts';
import type { WireInsight } from '../../../shared/wire/insight.ts';
import { ShownInstant } from '../../cursor/shown-instant.ts';
import type { Found } from '../../data/insights.ts';
import { useDumps } from '../../data/thread-dumps.ts';
import { useLive } from '../../data/use-live.ts';
import { useWords } from '../../words/language.ts';
import { useMissing } from '../use-missing.ts';
import { useFound, useIsUnreadable } from './found-insights.tsx';
import { VerdictItem } from './VerdictItem.tsx';

/** How many problems are listed at once; the others are behind a line that opens. */
const MOST_SHOWN = 5;

/** What is wrong at the shown instant, the worst first, with what was looked for and what cannot be seen. */
export function VerdictPanel() {
  const { verdicts: said } = useWords();
  const kinds = useKinds();
  const isPast = useContext(ShownInstant) !== null;
  const found = useFound();
  const missing = useMissing();
  const isUnreadable = useIsUnreadable();
  if (!found) return <p className="quiet">{isUnreadable ? said.unreadable : said.reading}</p>;
  const open = found.insights.filter(({ to, severity }) => to === null && severity !== 'hint');
  const past = found.insights.filter(({ to, severity }) => to !== null && severity !== 'hint');
  const hints = found.insights.filter(({ severity }) => severity === 'hint');
  const unseen = new Set(found.cannotTell.map(({ incident }) => incident));
  const isAllUnseen = unseen.size >= kinds;
  const isPart = !isPast && missing !== undefined;
  const nothing = isPast ? said.nothingThen : isPart ? said.nothingSoFar : said.nothing;
  const unknown = isPast ? said.unknownThen : said.unknown;
  return (
    <section aria-label={said.title} className={open.length > 0 ? 'verdicts is-bad' : 'verdicts'}>
      {open.length === 0 ? (
        <p className="verdicts-none">
          <b>{isAllUnseen ? unknown : nothing}</b> {isPart && missing}
        </p>
      ) : (
        <VerdictList insights={open.slice(0, MOST_SHOWN)} isFirstOpen />
      )}
      <div className="verdicts-more">
        {open.length > MOST_SHOWN && (
          <Folded title={said.more(open.length - MOST_SHOWN)} insights={open.slice(MOST_SHOWN)} />
        )}
        {past.length > 0 && <Folded title={said.past(past.length)} insights={past} />}
        {hints.length > 0 && <Folded title={said.hints(hints.length)} insights={hints} />}
        <Unseen found={found} />
      </div>
    </section>
  );
}

export function VerdictList({
  insights,
  isFirstOpen = false,
  isOfLock = false,
}: {
  insights: readonly WireInsight[];
  isFirstOpen?: boolean;
  isOfLock?: boolean;
}) {
  return (
    <ul className="verdict-list">
      {insights.map((insight, n) => (
        <VerdictItem
          key={insight.id}
          insight={insight}
          isOpen={isFirstOpen && n === 0 && insight.severity === 'critical'}
          isOfLock={isOfLock}
        />
      ))}
    </ul>
  );
}

function Folded({ title, insights }: { title: string; insights: readonly WireInsight[] }) {
  return (
    <details>
      <summary>{title}</summary>
      <VerdictList insights={insights.slice(0, 100)} />
    </details>
  );
}

/** The number of kinds of problems that are looked for: two of them only if there is a thread dump of a known client. */
function useKinds(): number {
  const { insights } = useWords();
  const hasDump = useDumps().data?.dumps.some(({ client }) => client !== null) ?? false;
  return Object.keys(insights).filter((incident) => hasDump || !INCIDENTS_OF_DUMPS.includes(incident)).length;
}

const REASONS = ['level', 'unwatched', 'blind-spot', 'presence', 'server'] as const;

/** Which kinds of problems were looked for, and which of them cannot be ruled out, with the reason. */
function Unseen({ found: { cannotTell, failed, more } }: { found: Found }) {
  const { insights, verdicts: said } = useWords();
  const kinds = useKinds();
  const unseen = new Set(cannotTell.map(({ incident }) => incident));
  const hidden = new Set(cannotTell.flatMap(({ reason, source }) => (reason === 'level' ? [source] : [])));
  // what level monitor does not show needs key events
  const isMoreVisible = useLive(({ sources }) =>
    sources.some(({ id, level }) => hidden.has(id) && level !== 'monitor'),
  );
  const titles = (reason: (typeof REASONS)[number]) => {
    const of = new Set(cannotTell.filter((each) => each.reason === reason).map(({ incident }) => incident));
    return Object.entries(insights).flatMap(([id, { title }]) => (of.has(id) ? [title] : []));
  };
  return (
    <details className="verdicts-unseen">
      <summary>
        {said.looked(kinds)} {unseen.size > 0 && said.unseen(unseen.size)}
      </summary>
      {failed.length > 0 && <p>{said.failed(failed.length)}</p>}
      {more !== undefined && <p>{said.more(more)}</p>}
      {REASONS.map((reason) => {
        const all = titles(reason);
        return (
          all.length > 0 && (
            <div key={reason}>
              <p>{said.reason[reason]}</p>
              <ul>
                {all.map((title) => (
                  <li key={title}>{title}</li>
                ))}
              </ul>
              {reason === 'level' && isMoreVisible && <p className="quiet">{said.change}</p>}
            </div>
          )
        );
      })}
    </details>
  );
}
