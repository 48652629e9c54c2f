import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { VerdictCard } from './VerdictCard.tsx';
import { VerdictItem } from './VerdictItem.tsx';

type VerdictListProps = {
  insights: readonly WireInsight[];
  /** The first one is a card. */
  isLed?: boolean;
  isFirstOpen?: boolean;
  isOfLock?: boolean;
};

/** Problems, each as a line that opens. It is loaded with the first problem. */
export default function VerdictList({
  insights,
  isLed = false,
  isFirstOpen = false,
  isOfLock = false,
}: VerdictListProps) {
  return (
    <ul className="verdict-list">
      {insights.map((insight, n) =>
        isLed && n === 0 ? (
          <VerdictCard key={insight.id} insight={insight} />
        ) : (
          <VerdictItem
            key={insight.id}
            insight={insight}
            isOpen={isFirstOpen && n === 0 && insight.severity === 'critical'}
            isOfLock={isOfLock}
          />
        ),
      )}
    </ul>
  );
}
