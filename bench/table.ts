import type { BenchReport } from './bench.ts';
import type { Compared } from './recorded.ts';

/** The results as a table. `goals` maps a bench's name to its goal as text. */
export function textFromReports(reports: readonly BenchReport[], goals: ReadonlyMap<string, string>): string {
  const rows = reports.map(({ name, unit, ours, peers, also = {}, ratio, ratios = [], ratioTo, runs, holds }) => [
    name,
    `${shown(ours)} ${unit}`,
    Object.entries({ ...peers, ...also })
      .map(([peer, value]) => `${peer} ${shown(value)}`)
      .join(', '),
    `${shown(ratio)} × ${ratioTo}${ratios.length > 1 ? ` (${shown(Math.min(...ratios))} to ${shown(Math.max(...ratios))})` : ''}`,
    String(runs),
    goals.get(name) ?? '',
    holds ? 'holds' : 'MISSED',
  ]);
  return textFromRows([['bench', 'ours', 'beside it', 'ratio (lowest to highest)', 'runs', 'goal', ''], ...rows]);
}

/** A line for each ratio beside the recorded one. */
export function textFromComparison(compared: readonly Compared[]): string {
  const rows = compared.map(({ name, before, now, verdict }) => [
    name,
    before === undefined ? '–' : shown(before),
    shown(now),
    verdict === 'worse' ? 'WORSE' : verdict,
  ]);
  return textFromRows([['bench', 'recorded ratio', 'ratio', ''], ...rows]);
}

function textFromRows(table: readonly (readonly string[])[]): string {
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** Three significant digits, with thousands separators. */
function shown(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}
