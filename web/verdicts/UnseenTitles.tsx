import { useLive } from '../data/live/use-live.ts';
import type { Found } from '../data/queries/insights.ts';
import { useWords } from '../words/language.ts';

const REASONS = [
  ...(['level', 'unwatched', 'blind-spot', 'unanswered', 'presence'] as const),
  ...(['server', 'key-events', 'locks', 'memory'] as const),
] as const;

/** The kinds of problems that cannot be ruled out, by reason. This code is loaded when the list is first opened. */
export default function UnseenTitles({ cannotTell }: Pick<Found, 'cannotTell'>) {
  const { insights, verdicts: texts } = useWords();
  const hidden = new Set(cannotTell.flatMap(({ reason, source }) => (reason === 'level' ? [source] : [])));
  // a source at level `monitor` that still cannot rule out a kind of problem needs key events
  const isMoreVisible = useLive(({ sources }) =>
    sources.some(({ id, level }) => hidden.has(id) && level !== 'monitor'),
  );
  const titles = (reason: (typeof REASONS)[number]) => {
    const of = new Set(cannotTell.filter((each) => each.reason === reason).map(({ incident }) => incident));
    return Object.entries(insights).flatMap(([id, { title }]) => (of.has(id) ? [title] : []));
  };
  return REASONS.map((reason) => {
    const all = titles(reason);
    return (
      all.length > 0 && (
        <div key={reason}>
          <p>{texts.reason[reason]}</p>
          <ul>
            {all.map((title) => (
              <li key={title}>{title}</li>
            ))}
          </ul>
          {reason === 'level' && isMoreVisible && <p className="quiet">{texts.change}</p>}
        </div>
      )
    );
  });
}
