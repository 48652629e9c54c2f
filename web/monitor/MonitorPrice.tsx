import type { Source } from '../../shared/wire/source.ts';
import { countText, shortText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { percent } from './percent.ts';

/** Shows what MONITOR costs this Redis, or would cost, and the risk of its output buffer if Lockscope reads slowly. */
export function MonitorPrice({ source }: { source: Source }) {
  const { levels } = useWords();
  const { monitor } = source;
  if (!monitor) return null;
  const isOn = source.level === 'monitor';
  const { costShare, inputBytesPerSecond, opsPerSecond, redisCpuShare, outputLimitBytes } = monitor;
  return (
    <>
      <p>
        {costShare === null
          ? levels.priceUnknown
          : levels.price[isOn ? 'now' : 'would'](percent(costShare), monitor.basis === 'measured')}
      </p>
      {!isOn && costShare !== null && costShare + (redisCpuShare ?? 0) > 1 && <p>{levels.pricedOut}</p>}
      {opsPerSecond !== null && inputBytesPerSecond !== null && (
        <p className="quiet">
          {levels.redisLoad(
            countText(opsPerSecond),
            megabytes(inputBytesPerSecond),
            redisCpuShare === null ? null : percent(redisCpuShare),
          )}
        </p>
      )}
      {isOn && monitor.before && monitor.pingMs !== null && (
        <p className="quiet">
          {levels.loadBefore(
            countText(monitor.before.opsPerSecond),
            shortText(monitor.before.pingMs),
            shortText(monitor.pingMs),
          )}
        </p>
      )}
      {!outputLimitBytes && <p>{levels.noOutputLimit[outputLimitBytes === 0 ? 'none' : 'unknown']}</p>}
    </>
  );
}

function megabytes(bytes: number): string {
  return bytes < 10_000_000 ? (bytes / 1e6).toFixed(1) : countText(bytes / 1e6);
}
