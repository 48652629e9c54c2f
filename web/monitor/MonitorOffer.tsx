import { useState } from 'react';
import type { Source } from '../../shared/wire/source.ts';
import { LatePart } from '../ui/LatePart.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useWords } from '../words/language.ts';
import { percent } from './percent.ts';

const MonitorQuestion = lazyPart(() => import('./MonitorQuestion.tsx'));

/** What level monitor would cost on a source, and a button that asks how long it should run. */
export function MonitorOffer({ source, hasManySources }: { source: Source; hasManySources: boolean }) {
  const { frame, states } = useWords();
  const [isAsking, setAsking] = useState(false);
  const share = source.monitor?.costShare ?? null;
  if (isAsking) {
    return (
      <div className="monitor-offer">
        <LatePart opening={<p className="quiet">{frame.openingPart}</p>}>
          <MonitorQuestion source={source} onBack={() => setAsking(false)} />
        </LatePart>
      </div>
    );
  }
  return (
    <p className="monitor-offer">
      <button type="button" className="button is-small is-primary" onClick={() => setAsking(true)}>
        {hasManySources ? states.startMonitorOf(source.id) : states.startMonitor}
      </button>{' '}
      <span className="quiet">{share === null ? states.monitorOffHint : states.monitorOffPrice(percent(share))}</span>
    </p>
  );
}
