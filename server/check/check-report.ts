import { isoText } from '../../shared/base/time.ts';
import type { Report } from '../../shared/insights/insight.ts';
import type { CheckBody, Watched } from '../../shared/wire/check.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { reportBodyFrom } from '../../shared/wire/insights/insights-from-report.ts';
import { printable } from '../cli/printable.ts';
import { isWhole, linesOfWatched } from './watched.ts';

/** The result of `lockscope check`. */
export function checkBodyFrom(report: Report, from: number, watched: Watched): CheckBody {
  return { ...reportBodyFrom(report), ...watched, from, exitCode: exitCodeOf(report, watched) };
}

/** 3 and 4 count even if a source was not watched as a whole, or a detector failed. Hints do not count. */
function exitCodeOf({ insights, failed }: Report, watched: Watched): number {
  if (insights.some(({ severity }) => severity === 'critical')) return 4;
  if (insights.some(({ severity }) => severity === 'warning')) return 3;
  return isWhole(watched) && failed.length === 0 ? 0 : 1;
}

/** The result as text: a block for each verdict, then what was checked. No name of a lock can add a line. */
export function textOfCheck(body: CheckBody): string {
  const { insights, more = 0, at, from } = body;
  const blocks = insights.map((insight) => `${linesOfInsight(insight, at).map(printable).join('\n')}\n`);
  const seconds = Math.round((at - from) / 1_000_000);
  const end = [
    isWatched(body)
      ? `${countText(insights, more)}, ${seconds < 1 ? 'now' : `in ${seconds} s`}.`
      : 'Nothing is known about locks, because no server was watched.',
    ...linesOfWatched(body).map(printable),
  ];
  return `${[...blocks, end.join('\n')].join('\n')}\n`;
}

function isWatched({ sources }: Watched): boolean {
  return sources.some(({ status }) => status === 'observing');
}

function countText(insights: readonly WireInsight[], more: number): string {
  const counts = (['critical', 'warning', 'hint'] as const)
    .map((severity) => ({ severity, n: insights.filter((insight) => insight.severity === severity).length }))
    .filter(({ n }) => n > 0)
    .map(({ severity, n }) => `${n} ${severity}`);
  if (more > 0) counts.push(`${more} more that are not listed`);
  return counts.length === 0 ? 'No verdicts' : `Verdicts: ${counts.join(', ')}`;
}

/** One verdict, in lines of English: severity, incident, lock, then who, since when, until when, why and what to do. */
export function linesOfInsight(insight: WireInsight, now: number): string[] {
  const { severity, confidence, incident, source, db, lock, holders, title, explanation, advice } = insight;
  const place = lock === undefined ? source : `${lock} (${source}, database ${db})`;
  return [
    `${severity.toUpperCase()}  ${incident}  ${place}`,
    `  ${title}. Confidence: ${confidence}.`,
    ...(holders.length > 0 ? [`  Who: ${holders.join(', ')}`] : []),
    `  Since: ${isoText(insight.from)}${insight.isAtLeast ? ' or earlier' : ''}. ${endText(insight, now)}`,
    `  ${explanation}`,
    `  To do: ${advice}`,
  ];
}

function endText({ to, selfHealsAt }: WireInsight, now: number): string {
  if (to !== null) return `Over since ${isoText(to)}.`;
  if (selfHealsAt === null) return 'No end is known.';
  const seconds = Math.round((selfHealsAt - now) / 1_000_000);
  return `Ends by itself at ${isoText(selfHealsAt)}${seconds > 0 ? `, in ${seconds} s` : ''}.`;
}
