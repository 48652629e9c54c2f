import type { ObserveLevel } from '../../shared/base/observe-level.ts';
import { cpuRate, type LoadWindow } from '../../shared/doctor/level-costs.ts';
import { type Problem, problem } from '../../shared/wire/problems/problem.ts';
import { harmOfBuffer, harmOfLatency } from '../watch/guard/harm.ts';
import { isOverBudget, MOST_REDIS_SHARE, MonitorPrices } from '../watch/guard/monitor-price.ts';
import { type MeterReading, numberIn, SLOW_PING_MS } from './load-meter.ts';

const NEARLY_FULL = 0.9;

/**
 * Why no level must be switched on now; undefined: a level may be switched on. `last`: the window before, without a
 * level.
 */
export function troubleBefore({ pingMs, fields }: MeterReading, last: LoadWindow): Problem | undefined {
  const isOn = (name: string) => numberIn(fields, name) === 1;
  if (isOn('loading')) return problem('redis-in-trouble', { why: 'loading', figure: 0 });
  if (isOn('rdb_bgsave_in_progress') || isOn('aof_rewrite_in_progress')) {
    return problem('redis-in-trouble', { why: 'saving', figure: 0 });
  }
  if (pingMs > SLOW_PING_MS) return problem('redis-in-trouble', { why: 'slow', figure: Math.round(pingMs) });
  const share = cpuRate(last);
  if (share !== null && share > MOST_REDIS_SHARE) {
    return problem('redis-in-trouble', { why: 'busy', figure: Math.round(share * 100) });
  }
  const [used, limit] = [numberIn(fields, 'used_memory'), numberIn(fields, 'maxmemory')];
  if (used !== null && limit !== null && limit > 0 && used > NEARLY_FULL * limit) {
    return problem('redis-in-trouble', { why: 'full', figure: Math.round((used / limit) * 100) });
  }
  return undefined;
}

/** Why MONITOR would cost too much: the price that its guard computes from what Redis did in a window. */
export function priceTrouble(inputBytes: number, window: LoadWindow): Problem | undefined {
  const seconds = window.ms / 1000;
  const redisCpuShare = cpuRate(window);
  const load = { inputBytesPerSecond: inputBytes / seconds, opsPerSecond: window.commands / seconds, redisCpuShare };
  const { costShare } = new MonitorPrices().of(load);
  return isOverBudget(costShare, redisCpuShare, false)
    ? problem('over-budget', { costShare, redisCpuShare })
    : undefined;
}

/** A range of time without a level: the values read at its end, and what happened in it. */
export type Without = { readonly reading: MeterReading; readonly window: LoadWindow };

/** Why a level that is on must be ended now. `began`: the reading at the beginning of its window. */
export function troubleDuring(
  level: ObserveLevel,
  without: Without,
  began: MeterReading,
  now: MeterReading,
  window: LoadWindow | undefined,
): Problem | undefined {
  if (began.clientBytes !== null && now.clientBytes !== null) {
    const waiting = harmOfBuffer(now.clientBytes - began.clientBytes, null);
    if (waiting) return waiting;
  }
  const isMonitor = level === 'monitor';
  if (now.pingMs > SLOW_PING_MS) {
    const slow = isMonitor ? harmOfLatency(now.pingMs, without.reading.pingMs, true) : undefined;
    return slow ?? problem('redis-in-trouble', { why: 'slow', figure: Math.round(now.pingMs) });
  }
  const [share, shareBefore] = [window ? cpuRate(window) : null, cpuRate(without.window)];
  if (share === null || shareBefore === null) return undefined;
  const costShare = share - shareBefore;
  if (!isOverBudget(costShare, share, true)) return undefined;
  if (isMonitor) return problem('monitor-costly', { costShare, redisCpuShare: share });
  return problem('redis-in-trouble', { why: 'busy', figure: Math.round(share * 100) });
}
