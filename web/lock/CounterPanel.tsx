import { countedBy, isCounterKind } from '../../shared/events/kinds/kinds.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { Fact } from '../parts/Fact.tsx';
import { useWords } from '../words/language.ts';

/** The permits of a semaphore or the count of a latch. Renders nothing for other kinds. */
export function CounterPanel({ lock }: { lock: Lock }) {
  const { counters } = useWords();
  if (!isCounterKind(lock.kind)) return null;
  const { permits, latch } = lock;
  if (countedBy(lock.kind) === 'latch') {
    return (
      <section aria-label={counters.latch} className="panel">
        <h2>{counters.latch}</h2>
        <dl className="facts is-row">
          <Fact name={counters.fact.left}>{latch ? String(latch.count) : counters.notSeen}</Fact>
          {latch && (
            <Fact name={counters.fact.state}>{latch.count === 0 ? counters.open : counters.closed(latch.count)}</Fact>
          )}
        </dl>
      </section>
    );
  }
  const { available = null, total = null } = permits ?? {};
  const figure = (count: number | null) => (count === null ? counters.notSeen : String(count));
  return (
    <section aria-label={counters.permits} className="panel">
      <h2>
        {counters.permits}{' '}
        {available !== null && total !== null && (
          <span className="quiet">{counters.out(Math.max(0, total - available), total)}</span>
        )}
      </h2>
      <dl className="facts is-row">
        <Fact name={counters.fact.free}>{figure(available)}</Fact>
        <Fact name={counters.fact.out}>{figure(available === null || total === null ? null : total - available)}</Fact>
        <Fact name={counters.fact.total}>{figure(total)}</Fact>
      </dl>
    </section>
  );
}
