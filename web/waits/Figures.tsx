import type { ShownWaits } from '../data/queries/waits.ts';
import { useWords } from '../words/language.ts';
import { StatisticsTable } from './StatisticsTable.tsx';

/** Figures about the stretch. */
export function Figures({ waits }: { waits: ShownWaits }) {
  const { figures } = useWords().waits;
  return (
    <section className="panel waits-ranking" aria-label={figures.title}>
      <h2>{figures.title}</h2>
      <StatisticsTable waits={waits} />
    </section>
  );
}
