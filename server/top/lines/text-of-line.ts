import { isoText } from '../../../shared/base/time.ts';
import type { TopLine } from '../../../shared/wire/top.ts';
import { printable } from '../../cli/printable.ts';
import { countText } from '../sight.ts';

/** A change in one line of English, with its time: `2026-11-21T10:41:03.000Z  3 held, 1 wanted. …` */
export function textOfLine(line: TopLine): string {
  return `${isoText(line.at)}  ${printable(textOf(line))}`;
}

function textOf(line: TopLine): string {
  switch (line.event) {
    case 'source':
      return sourceText(line);
    case 'locks':
      return locksText(line);
    case 'verdict':
      return verdictText(line);
  }
}

function sourceText({ source, isWatched }: Extract<TopLine, { event: 'source' }>): string {
  const { url, redisVersion, status, level, cannotSee, problem } = source;
  if (isWatched) {
    const unseen = cannotSee.length > 0 ? ` Cannot see: ${cannotSee.join(' ')}` : '';
    return `Watched: ${url}, Redis ${redisVersion}, level ${level}.${unseen}`;
  }
  if (status === 'connecting' && !problem) return `Connecting to ${url}.`;
  return `Not watched: ${url}. ${problem ? `${problem.message} ${problem.hint}` : ''}`.trim();
}

function locksText(line: Extract<TopLine, { event: 'locks' }>): string {
  const { held, wanted, isWantedAtLeast, waiters, verdicts, moreVerdicts = 0, first } = line;
  const waited = waiters === null && wanted === 0 ? '' : `${wanted}${isWantedAtLeast ? ' or more' : ''} waited for, `;
  const count = waiters === null ? 'waiters not known' : `${waiters} waiters`;
  const severities = (['critical', 'warning', 'hint'] as const).flatMap((severity) =>
    Array.from({ length: verdicts[severity] }, () => ({ severity })),
  );
  const others = moreVerdicts > 0 ? `, ${moreVerdicts} more` : '';
  const problems = severities.length > 0 ? `verdicts: ${countText(severities)}${others}` : 'no verdicts';
  return `${held} held, ${waited}${count}, ${problems}.${first ? ` First: ${firstText(first)}.` : ''}`;
}

type First = NonNullable<Extract<TopLine, { event: 'locks' }>['first']>;

function firstText({ source, db, lock, holders, since, isAtLeast, waiters }: First): string {
  const by = holders.length > 0 ? `, held by ${holders.join(', ')}` : '';
  const from = since === null ? '' : ` since ${isoText(since)}${isAtLeast ? ' or earlier' : ''}`;
  const waiting = waiters === null ? '' : `, waiters: ${waiters}`;
  return `${lock} (${source}, database ${db})${by}${from}${waiting}`;
}

const STATES = { opened: '', closed: 'Over: ', unknown: 'No longer known: ' } as const;

function verdictText({ state, insight }: Extract<TopLine, { event: 'verdict' }>): string {
  const { severity, incident, source, db, lock, title, explanation, advice } = insight;
  const place = lock === undefined ? source : `${lock} (${source}, database ${db})`;
  const what = `${STATES[state]}${severity.toUpperCase()} ${incident} ${place}: ${title}.`;
  return state === 'opened' ? `${what} ${explanation} To do: ${advice}` : what;
}
