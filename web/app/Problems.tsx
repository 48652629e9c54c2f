import { useLive, useLocalNow } from '../data/use-live.ts';
import { Notice } from '../ui/Notice.tsx';
import { ageText } from '../ui/time-text.ts';
import type { ConnectionProblem } from './use-connection.ts';

/** Banners for what is wrong: with this page's connection, and with each source. */
export function Problems({ problem }: { problem: ConnectionProblem | null }) {
  const sources = useLive((state) => state.sources);
  const link = useLive((state) => state.link);
  const troubled = sources.filter((source) => source.problem !== undefined || source.guard.state === 'tripped');
  if (link !== 'lost' && problem === null && troubled.length === 0) return null;
  return (
    <div className="problems">
      {link === 'lost' && <LostNotice />}
      {problem && (
        <Notice tone="problem" title={problem.message}>
          {problem.hint}
        </Notice>
      )}
      {troubled.map((source) => (
        <Notice
          key={source.id}
          tone={source.status === 'observing' ? 'hint' : 'problem'}
          title={source.problem?.message ?? `Observing ${source.url} was cut back to protect Redis.`}
        >
          {source.problem?.hint ?? source.guard.reason}
        </Notice>
      ))}
    </div>
  );
}

function LostNotice() {
  const lastHeardAt = useLive((state) => state.lastHeardAt);
  return (
    <Notice tone="problem" title="The connection to Lockscope is lost.">
      Trying again. What you see is as of then. {lastHeardAt !== null && <LastHeard at={lastHeardAt} />}
    </Notice>
  );
}

/** Not read out: it changes every second. */
function LastHeard({ at }: { at: number }) {
  return <span aria-hidden="true">Last heard {ageText(Math.max(1000, useLocalNow() - at))} ago.</span>;
}
