import { useContext, useState } from 'react';
import { NUMBER_OF_INCIDENTS } from '../../../shared/insights/insight.ts';
import { INCIDENTS_OF_DUMPS } from '../../../shared/insights/values/jvm.ts';
import type { WireInsight } from '../../../shared/wire/insight.ts';
import { ShownInstant } from '../../cursor/shown-instant.ts';
import type { Found } from '../../data/insights.ts';
import { useDumps } from '../../data/thread-dumps.ts';
import { LatePart } from '../../ui/LatePart.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useWords } from '../../words/language.ts';
import { useMissing } from '../use-missing.ts';
import { useFound, useIsUnreadable } from './found-insights.tsx';

const VerdictList = lazyPart(() => import('./VerdictList.tsx'));
const UnseenTitles = lazyPart(() => import('./UnseenTitles.tsx'));

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
        <LatePart opening={<p className="quiet">{said.reading}</p>}>
          <VerdictList insights={open.slice(0, MOST_SHOWN)} isFirstOpen />
        </LatePart>
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

function Folded({ title, insights }: { title: string; insights: readonly WireInsight[] }) {
  return (
    <details>
      <summary>{title}</summary>
      <LatePart>
        <VerdictList insights={insights.slice(0, 100)} />
      </LatePart>
    </details>
  );
}

/** The number of kinds of problems that are looked for: two of them only if there is a thread dump of a known client. */
function useKinds(): number {
  const hasDump = useDumps().data?.dumps.some(({ client }) => client !== null) ?? false;
  return NUMBER_OF_INCIDENTS - (hasDump ? 0 : INCIDENTS_OF_DUMPS.length);
}

/** Which kinds of problems were looked for, and which of them cannot be ruled out, with the reason. */
function Unseen({ found: { cannotTell, failed, more } }: { found: Found }) {
  const { verdicts: said } = useWords();
  const kinds = useKinds();
  const [isOpen, setOpen] = useState(false);
  const unseen = new Set(cannotTell.map(({ incident }) => incident));
  return (
    <details className="verdicts-unseen" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {said.looked(kinds)} {unseen.size > 0 && said.unseen(unseen.size)}
      </summary>
      {failed.length > 0 && <p>{said.failed(failed.length)}</p>}
      {more !== undefined && <p>{said.more(more)}</p>}
      {isOpen && (
        <LatePart opening={<p className="quiet">{said.reading}</p>}>
          <UnseenTitles cannotTell={cannotTell} />
        </LatePart>
      )}
    </details>
  );
}
