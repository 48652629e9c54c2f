import { millisBetween, redisTime } from '../../../shared/base/time.ts';
import type { WireInsight } from '../../../shared/wire/insights/insight.ts';
import { printableInCell } from '../../cli/printable.ts';
import { countdownText } from '../../cli/text/lengths.ts';
import { type Line, type Look, line, withRight } from '../../cli/text/line.ts';
import { cutMiddle, padded } from '../../cli/text/width.ts';
import { countText, type Sight, sourceOf } from '../sight.ts';

const LOOKS: Readonly<Record<WireInsight['severity'], Look>> = { critical: 'bad', warning: 'warn', hint: 'plain' };

/** The line above the verdicts: how many there are, and for how many kinds of incident it is not known. */
export function headOfVerdicts({ sources, verdicts }: Sight): Line {
  const { insights, more = 0, cannotTell, failed } = verdicts;
  if (!sources.some(({ isWatched }) => isWatched)) {
    return line({ text: 'What is wrong now is not known, because no server is watched.', look: 'strong' });
  }
  const counts = insights.length === 0 ? 'No verdicts.' : `Verdicts: ${countText(insights)}.`;
  const others = more > 0 ? ` ${more} more are not listed.` : '';
  const unknown = new Set([...cannotTell, ...failed].map(({ incident }) => incident)).size;
  const gaps =
    unknown === 0 ? '' : ` Not known for ${unknown} ${unknown === 1 ? 'kind' : 'kinds'} of incident (press ?).`;
  return line({ text: counts + others, look: 'strong' }, { text: gaps, look: 'quiet' });
}

/** One verdict: its severity, its lock, its title, and when it ends by itself. */
export function rowOfVerdict(verdict: WireInsight, sight: Sight, width: number, isSelected: boolean): Line {
  const { severity, lock, source, title } = verdict;
  const place = cutMiddle(printableInCell(lock ?? source), Math.max(8, Math.floor(width / 4)));
  const left = [
    `${isSelected ? '>' : ' '}  `,
    { text: padded(severity.toUpperCase(), 10), look: LOOKS[severity] },
    { text: place, look: 'strong' as const },
    `  ${title}`,
  ];
  const { parts } = withRight(left, { text: endText(verdict, sight), look: 'plain' }, width);
  return { parts, isSelected };
}

function endText({ source, selfHealsAt }: WireInsight, sight: Sight): string {
  if (selfHealsAt === null) return 'no known end';
  const now = sourceOf(sight, source)?.now ?? sight.at;
  const left = millisBetween(now, redisTime(selfHealsAt));
  return left > 0 ? `ends in ${countdownText(left)}` : 'ends now';
}
