import type { Millis } from '../../../../shared/base/time.ts';

/** 连接适用的句子。 */
export function joined(...all: readonly (string | false)[]): string {
  return all.filter((sentence) => sentence !== false).join('');
}

/** 时长，用最大的单位。 */
export function lengthText(ms: Millis): string {
  if (ms < 95) return `${Math.max(1, Math.round(ms))} 毫秒`;
  if (ms < 120_000) return `${Number((ms / 1000).toFixed(ms < 10_000 ? 1 : 0))} 秒`;
  if (ms < 7_200_000) return `${Math.floor(ms / 60_000)} 分钟`;
  return `${Number((ms / 3_600_000).toFixed(1))} 小时`;
}
