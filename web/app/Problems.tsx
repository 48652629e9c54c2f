import { LIVE_PAUSES } from '../../shared/wire/live-pauses.ts';
import { isSilence, lacksRights } from '../../shared/wire/watched.ts';
import { isCutOff } from '../data/live/live-state.ts';
import { useLive, useLocalNow } from '../data/live/use-live.ts';
import { useNewVersion } from '../data/queries/queries.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Notice } from '../ui/Notice.tsx';
import { agoText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { type Trouble, troublesOf } from './troubles-of.ts';
import type { ConnectionProblem } from './use-connection.ts';

/**
 * Banners: problems with this page's connection, a new version of the server, and, while connected, problems of each
 * source.
 */
export function Problems({ problem }: { problem: ConnectionProblem | null }) {
  const words = useWords();
  const sources = useLive((state) => state.sources);
  const link = useLive((state) => state.link);
  const troubled = sources.flatMap((source) => troublesOf(source, words).map((trouble) => ({ source, trouble })));
  const isDisconnected = useLive(isCutOff);
  const areLocksShown = useLive((state) => state.locks.size > 0);
  const newVersion = useNewVersion();
  if (!isDisconnected && problem === null && troubled.length === 0 && newVersion === null) return null;
  return (
    <div className="problems">
      {link === 'lost' && <LostNotice />}
      {newVersion !== null && <UpdatedNotice version={newVersion} />}
      {problem && link === 'refused' && <RefusedNotice {...problem.textIn(words)} />}
      {problem && link !== 'refused' && <ProblemNotice tone="problem" {...problem.textIn(words)} />}
      {!isDisconnected &&
        troubled.map(({ source, trouble }) => (
          <ProblemNotice
            key={`${source.id} ${trouble.heard ?? trouble.message}`}
            tone={source.problem || lacksRights(source) ? 'problem' : 'hint'}
            {...trouble}
            isShownOld={areLocksShown && isSilence(source.problem?.code)}
          />
        ))}
    </div>
  );
}

type ProblemNoticeProps = Trouble & {
  tone: 'problem' | 'hint';
  /** The page shows locks as they were before the problem. */
  isShownOld?: boolean;
};

function ProblemNotice({ tone, message, heard, hint, command, isShownOld = false }: ProblemNoticeProps) {
  const { states } = useWords();
  return (
    <Notice
      tone={tone}
      title={
        heard === undefined ? (
          message
        ) : (
          <>
            <span className="only-heard">{heard}</span>
            <span aria-hidden="true">{message}</span>
          </>
        )
      }
      actions={command !== undefined && <CopyButton text={command} label={states.copyCommand} />}
    >
      {isShownOld && `${states.shownIsOld} `}
      {hint} {command !== undefined && <code>{command}</code>}
    </Notice>
  );
}

/** The server was replaced by another version while this page was open. */
function UpdatedNotice({ version }: { version: string }) {
  const { frame } = useWords();
  return (
    <Notice tone="hint" title={frame.updated(version)} actions={<ReloadButton />}>
      {frame.updatedHint}
    </Notice>
  );
}

function ReloadButton() {
  const { states } = useWords();
  return (
    <button type="button" className="button is-small" onClick={() => window.location.reload()}>
      {states.reload}
    </button>
  );
}

function LostNotice() {
  const { frame } = useWords();
  const lastHeardAt = useLive((state) => state.lastHeardAt);
  return (
    <Notice tone="problem" title={frame.lost} actions={<ReloadButton />}>
      {frame.lostHint} {lastHeardAt !== null && <LastHeard at={lastHeardAt} />}
    </Notice>
  );
}

/** The server refused this page because too many pages are connected. The page tries again. */
function RefusedNotice({ message, hint }: Trouble) {
  const { frame } = useWords();
  const lastHeardAt = useLive((state) => state.lastHeardAt);
  return (
    <Notice tone="problem" title={message}>
      {hint} {frame.triesAgain(LIVE_PAUSES.refused / 1000)} {lastHeardAt !== null && <LastHeard at={lastHeardAt} />}
    </Notice>
  );
}

/** How long ago the server was last heard. Hidden from screen readers because the text changes every second. */
function LastHeard({ at }: { at: number }) {
  const { frame } = useWords();
  return <span aria-hidden="true">{frame.lastHeard(agoText(Math.max(1000, useLocalNow() - at)))}</span>;
}
