import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { VerdictItem } from './VerdictItem.tsx';

/** Problems, each as a line that opens. It is loaded with the first problem. */
export default function VerdictList({
  insights,
  isFirstOpen = false,
  isOfLock = false,
}: {
  insights: readonly WireInsight[];
  isFirstOpen?: boolean;
  isOfLock?: boolean;
}) {
  return (
    <ul className="verdict-list">
      {insights.map((insight, n) => (
        <VerdictItem
          key={insight.id}
          insight={insight}
          isOpen={isFirstOpen && n === 0 && insight.severity === 'critical'}
          isOfLock={isOfLock}
        />
      ))}
    </ul>
  );
}
