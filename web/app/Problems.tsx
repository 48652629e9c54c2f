import type { Source } from '../../shared/wire/source.ts';
import { isSilence } from '../../shared/wire/watched.ts';
import { isCutOff } from '../data/live-state.ts';
import { RETRY_MS } from '../data/socket-client.ts';
import { useLive, useLocalNow } from '../data/use-live.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Notice } from '../ui/Notice.tsx';
import { agoText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { insteadText, problemText } from '../words/problem-text.ts';
import type { Words } from '../words/words.ts';
import { permissionCommand } from './permission-command.ts';
import type { ConnectionProblem } from './use-connection.ts';

/** Banners for problems with this page's connection and with each source. */
export function Problems({ problem }: { problem: ConnectionProblem | null }) {
  const words = useWords();
  const sources = useLive((state) => state.sources);
  const link = useLive((state) => state.link);
  const troubled = sources.filter(
    ({ problem, guard, ended }) => !ended && (problem !== undefined || guard.state === 'tripped'),
  );
  const isLost = useLive(isCutOff);
  const areLocksShown = useLive((state) => state.locks.size > 0);
  if (!isLost && problem === null && troubled.length === 0) return null;
  return (
    <div className="problems">
      {link === 'lost' && <LostNotice />}
      {problem && link === 'refused' && <RefusedNotice {...problem.say(words)} />}
      {problem && link !== 'refused' && <ProblemNotice tone="problem" {...problem.say(words)} />}
      {!isLost &&
        troubled.map((source) => (
          <ProblemNotice
            key={source.id}
            tone={source.status === 'observing' && !source.problem ? 'hint' : 'problem'}
            {...troubleOf(source, words)}
            isShownOld={areLocksShown && isSilence(source.problem?.code)}
          />
        ))}
    </div>
  );
}

/** `heard`: what a screen reader announces instead of a message that changes every second. */
type Trouble = { message: string; heard?: string; hint: string; command?: string };

function troubleOf(source: Source, words: Words): Trouble {
  if (source.problem) {
    const text = problemText(words, source.problem);
    const { code, values } = source.problem;
    const { where } = values;
    if (code !== 'not-answering' || typeof where !== 'string') return text;
    return { ...text, heard: words.states.notAnswering(where) };
  }
  const { problem } = source.guard;
  const user = problem?.code === 'monitor-refused' ? problem.values.user : undefined;
  if (typeof user === 'string') {
    const { states } = words;
    const hint = states.monitorRefusedHint[source.level];
    return { message: states.monitorRefused(user), hint, command: permissionCommand(user) };
  }
  return { message: words.frame.cutBack(source.url), hint: problem ? insteadText(words, problem, source) : '' };
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

function LostNotice() {
  const { frame, states } = useWords();
  const lastHeardAt = useLive((state) => state.lastHeardAt);
  return (
    <Notice
      tone="problem"
      title={frame.lost}
      actions={
        <button type="button" className="button is-small" onClick={() => window.location.reload()}>
          {states.reload}
        </button>
      }
    >
      {frame.lostHint} {lastHeardAt !== null && <LastHeard at={lastHeardAt} />}
    </Notice>
  );
}

/** The server has too many viewers and refused this page, which retries. */
function RefusedNotice({ message, hint }: Trouble) {
  const { frame } = useWords();
  const lastHeardAt = useLive((state) => state.lastHeardAt);
  return (
    <Notice tone="problem" title={message}>
      {hint} {frame.triesAgain(RETRY_MS / 1000)} {lastHeardAt !== null && <LastHeard at={lastHeardAt} />}
    </Notice>
  );
}

/** Hidden from screen readers because it changes every second. */
function LastHeard({ at }: { at: number }) {
  const { frame } = useWords();
  return <span aria-hidden="true">{frame.lastHeard(agoText(Math.max(1000, useLocalNow() - at)))}</span>;
}
