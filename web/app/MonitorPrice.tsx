import type { Source } from '../../shared/wire/source.ts';
import { countText, shortText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';

/** What MONITOR takes of this Redis now, or would take, and what it could do if its output is not read. */
export function MonitorPrice({ source }: { source: Source }) {
  const { health } = useWords();
  const { monitor } = source;
  if (!monitor) return null;
  const isOn = source.level === 'monitor';
  const { costShare, inputBytesPerSecond, opsPerSecond, redisCpuShare, outputLimitBytes } = monitor;
  return (
    <>
      <p>
        {costShare === null
          ? health.priceUnknown
          : health.price[isOn ? 'now' : 'would'](percent(costShare), monitor.basis === 'measured')}
      </p>
      {!isOn && costShare !== null && costShare + (redisCpuShare ?? 0) > 1 && <p>{health.pricedOut}</p>}
      {opsPerSecond !== null && inputBytesPerSecond !== null && (
        <p className="quiet">
          {health.redisLoad(
            countText(opsPerSecond),
            megabytes(inputBytesPerSecond),
            redisCpuShare === null ? null : percent(redisCpuShare),
          )}
        </p>
      )}
      {isOn && monitor.before && monitor.pingMs !== null && (
        <p className="quiet">
          {health.loadBefore(
            countText(monitor.before.opsPerSecond),
            shortText(monitor.before.pingMs),
            shortText(monitor.pingMs),
          )}
        </p>
      )}
      {!outputLimitBytes && <p>{health.noOutputLimit[outputLimitBytes === 0 ? 'none' : 'unknown']}</p>}
    </>
  );
}

/** A share as whole percents; `0.4` below one. */
export function percent(share: number): string {
  const value = share * 100;
  return value < 1 ? String(Math.round(value * 10) / 10) : countText(value);
}

function megabytes(bytes: number): string {
  return bytes < 10_000_000 ? (bytes / 1e6).toFixed(1) : countText(bytes / 1e6);
}
