import { countText } from '../ui/time-text.ts';

/**
 * Formats a share (0 to 1) as whole percent, with one decimal below 1 %, for example `0.4`. What is less than 0.1 % is
 * `< 0.1`.
 */
export function percent(share: number): string {
  const value = share * 100;
  if (value < 0.1) return '< 0.1';
  return value < 1 ? String(Math.round(value * 10) / 10) : countText(value);
}
