import { useContext, useMemo, useState } from 'react';
import { wantedBy } from '../../shared/insights/attention.ts';
import { waitedLocks } from '../../shared/wire/locks/lock-facts.ts';
import type { Source } from '../../shared/wire/source.ts';
import { dismissedProblems, useDismissed } from '../choices/dismissed.ts';
import { ShownInstant } from '../cursor/shown-instant.ts';
import { useFromRedisNow, useIsOpenRecording, useLive, usePacedLive } from '../data/live/use-live.ts';
import { type Found, isPressing } from '../data/queries/insights.ts';
import { MonitorOffer } from '../monitor/MonitorOffer.tsx';
import { mayStartMonitor } from '../monitor/may-start.ts';
import { useMissing } from '../parts/use-missing.ts';
import { LatePart } from '../ui/LatePart.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Popover } from '../ui/Popover.tsx';
import { useWords } from '../words/language.ts';
import { ledRows, type ProblemRow, rowsOfProblems } from './equal-problems.ts';
import { useFound, useIsUnreadable } from './found-insights.tsx';
import { headlineOf } from './headline.ts';
import { askedIn, longestIn, type Waits } from './waits.ts';

const VerdictList = lazyPart(() => import('./VerdictList.tsx'));
const ProblemHistory = lazyPart(() => import('./ProblemHistory.tsx'));
const ProblemFiles = lazyPart(() => import('./ProblemFiles.tsx'));
const UnseenTitles = lazyPart(() => import('./UnseenTitles.tsx'));

/** How many rows of problems are listed at once; more are listed after a click on the last line. */
const MOST_SHOWN = 5;

/** What is wrong at the shown instant, the worst first, with what was looked for and what cannot be seen. */
export function VerdictPanel() {
  const { verdicts: texts } = useWords();
  const found = useFound();
  const isUnreadable = useIsUnreadable();
  const dismissed = useDismissed(dismissedProblems);
  if (!found) return <p className="quiet">{isUnreadable ? texts.unreadable : texts.reading}</p>;
  const open = found.insights.filter((each) => isPressing(each, dismissed));
  const past = found.insights.filter((each) => each.severity !== 'hint' && !isPressing(each, dismissed));
  const hints = found.insights.filter(({ severity }) => severity === 'hint');
  const rows = ledRows(open);
  const others = rows.slice(MOST_SHOWN);
  return (
    <section aria-label={texts.title} className={open.length > 0 ? 'verdicts is-bad' : 'verdicts'}>
      {open.length === 0 ? (
        <Quiet found={found} />
      ) : (
        <LatePart opening={<p className="quiet">{texts.reading}</p>}>
          <VerdictList rows={rows.slice(0, MOST_SHOWN)} isLed />
        </LatePart>
      )}
      <Offers found={found} />
      <div className="verdicts-more">
        {others.length > 0 && (
          <Folded title={texts.more(others.reduce((sum, { insights }) => sum + insights.length, 0))} rows={others} />
        )}
        {past.length > 0 && <Folded title={texts.past(past.length)} rows={rowsOfProblems(past)} />}
        {hints.length > 0 && <Folded title={texts.hints(hints.length)} rows={rowsOfProblems(hints)} />}
        <RecentProblems />
        <Unseen found={found} />
        {found.insights.length > 0 && (
          <LatePart>
            <ProblemFiles insights={found.insights} />
          </LatePart>
        )}
      </div>
    </section>
  );
}

/** The first sentence while no problem is known. */
function Quiet({ found }: { found: Found }) {
  const { verdicts: texts } = useWords();
  const isPast = useContext(ShownInstant) !== null;
  const missing = useMissing();
  const waits = useWaits();
  const isPart = !isPast && missing !== undefined;
  const isMoreVisible = useMoreVisible(found).length > 0;
  const { cannotTell, failed, kinds } = found;
  const headline = { cannotTell, failed, kinds, isPast, isPart, isMoreVisible, waits: isPast ? null : waits };
  return (
    <p className="verdicts-none">
      <b>{headlineOf(headline, texts)}</b> {isPart && missing}
    </p>
  );
}

const OF_LOCKS = ['locks'] as const;

/** The waits of all locks now. */
function useWaits(): Waits {
  const { locks } = usePacedLive(OF_LOCKS);
  const waited = [...locks.values()].filter((lock) => wantedBy(lock) > 0);
  const text = useFromRedisNow(undefined, (now) =>
    JSON.stringify({ longest: longestIn(waited, now), asked: askedIn(locks.values(), now) }),
  );
  const long = useMemo((): Pick<Waits, 'longest' | 'asked'> => JSON.parse(text), [text]);
  return { locks: waitedLocks(waited), ...long };
}

/** The sources on which level monitor would answer checks that the current level cannot. */
function useMoreVisible({ cannotTell }: Found): readonly Source[] {
  const sources = useLive((state) => state.sources);
  const isRecording = useIsOpenRecording();
  const hidden = new Set(cannotTell.flatMap(({ reason, source }) => (reason === 'level' ? [source] : [])));
  return isRecording ? [] : sources.filter((each) => hidden.has(each.id) && mayStartMonitor(each));
}

/** How to see more: what level monitor costs, and the button that starts it. */
function Offers({ found }: { found: Found }) {
  const sources = useMoreVisible(found);
  const hasManySources = useLive((state) => state.sources.length > 1);
  const isPast = useContext(ShownInstant) !== null;
  return isPast ? null : sources.map((source) => <MonitorOffer key={source.id} {...{ source, hasManySources }} />);
}

function Folded({ title, rows }: { title: string; rows: readonly ProblemRow[] }) {
  return (
    <details>
      <summary>{title}</summary>
      <LatePart>
        <VerdictList rows={rows.slice(0, 100)} />
      </LatePart>
    </details>
  );
}

/** The problems of the newest 24 hours, read when the list is opened. A recording has a list of its own. */
function RecentProblems() {
  const { verdicts: texts } = useWords();
  const isRecording = useIsOpenRecording();
  const isPast = useContext(ShownInstant) !== null;
  const [isOpen, setOpen] = useState(false);
  if (isRecording || isPast) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.day}</summary>
      {isOpen && (
        <LatePart>
          <ProblemHistory />
        </LatePart>
      )}
    </details>
  );
}

/** Which kinds of problems were looked for, and which of them cannot be ruled out, with the reason. */
function Unseen({ found: { cannotTell, failed, kinds, more } }: { found: Found }) {
  const { verdicts: texts } = useWords();
  const unseen = new Set(cannotTell.map(({ incident }) => incident));
  return (
    <Popover
      className="link-button"
      panelClassName="verdicts-unseen"
      title={texts.title}
      label={`${texts.looked(kinds)} ${unseen.size > 0 ? texts.unseen(unseen.size) : ''}`}
    >
      {() => (
        <div className="popover-body">
          {failed.length > 0 && <p>{texts.failed(failed.length)}</p>}
          {more !== undefined && <p>{texts.more(more)}</p>}
          <LatePart opening={<p className="quiet">{texts.reading}</p>}>
            <UnseenTitles cannotTell={cannotTell} />
          </LatePart>
        </div>
      )}
    </Popover>
  );
}
