import { problemFromError } from '../data/http.ts';
import { type ShownWaits, useWaits } from '../data/waits.ts';
import type { WaitsRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { StatisticsTable } from './StatisticsTable.tsx';

type FiguresProps = { waits: ShownWaits; route: WaitsRoute };

/** Figures about the stretch, and beside them those of the stretch before, if the reader wants them. */
export function Figures({ waits, route }: FiguresProps) {
  const { figures } = useWords().waits;
  const { isCompared } = route;
  return (
    <section className="panel waits-ranking" aria-label={figures.title}>
      <h2>{figures.title}</h2>
      <label className="check">
        <input
          type="checkbox"
          checked={isCompared}
          onChange={() => navigate({ ...route, isCompared: !isCompared }, { replace: true })}
        />{' '}
        {figures.compare}
      </label>
      {isCompared ? <Compared waits={waits} /> : <StatisticsTable waits={waits} before={undefined} />}
    </section>
  );
}

/** The figures beside those of the stretch of the same length before it. */
function Compared({ waits }: { waits: ShownWaits }) {
  const words = useWords();
  const { figures } = words.waits;
  const end = waits.askedFrom ?? waits.from;
  const { data, error } = useWaits({ from: end - (waits.to - end), to: end });
  const note = error ? problemFromError(error, words).message : data ? partlyText(data, words) : figures.reading;
  return (
    <>
      <StatisticsTable waits={waits} before={error ? undefined : data} />
      {note !== null && <p className="quiet">{note}</p>}
    </>
  );
}

/** Reports that the stretch before was not seen, or not kept, as a whole; null: it was. */
function partlyText({ unseen, isCut, from, askedFrom }: ShownWaits, { waits }: Words): string | null {
  const isWhole = unseen.length === 0 && !isCut && (askedFrom === null || from <= askedFrom);
  return isWhole ? null : waits.figures.partlyBefore;
}
