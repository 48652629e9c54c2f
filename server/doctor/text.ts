import type { FindingState } from '../../shared/doctor/finding.ts';
import { togetherBySameReason } from '../../shared/doctor/together.ts';
import type { Costs, FindingView } from '../../shared/wire/doctor.ts';
import { grantText } from '../../shared/wire/problems/english/redis.ts';
import type { Problem } from '../../shared/wire/problems/problem.ts';
import type { Diagnosis } from '../redis/connection/capabilities.ts';
import { textFromCosts } from './costs-text.ts';
import { INDENT, paragraph } from './paragraph.ts';

type Shown = Diagnosis & { readonly findings?: readonly FindingView[]; readonly costs?: Costs };

/** The heading of each group of findings. */
const HEADINGS: Readonly<Record<FindingState, string>> = {
  danger: 'Danger',
  warning: 'Warning',
  unknown: 'Unknown',
  info: 'Good to know',
  good: 'Good',
};
const STATES = ['danger', 'warning', 'unknown', 'info', 'good'] as const;

/** The diagnosis of one server as text. `columns`: the width of the terminal; absent: no line is broken. */
export function textFromDiagnosis(url: string, diagnosis: Shown, columns = Number.POSITIVE_INFINITY): string {
  const { problem, capabilities, levels, bestLevel, canObserve, unseen, findings = [], costs } = diagnosis;
  const lines = [url];
  if (capabilities) {
    const { version, role, user, isCluster } = capabilities;
    lines.push(`  Redis ${version}, ${role}${isCluster ? ', cluster mode' : ''}, user ${user}`, '');
  }
  for (const { level, works, why, unlock } of levels) {
    lines.push(`  ${works ? 'yes' : 'no '}  ${level.padEnd(11)}  ${why}`);
    if (unlock !== null) lines.push(`${' '.repeat(20)}${works ? 'to see more' : 'to unlock'}: ${unlock}`);
  }
  if (levels.length > 0) lines.push('');
  if (unseen) lines.push('  Not seen', ...unseen.flatMap((limit) => linesOfLimit(limit, columns)), '');
  lines.push(...linesOfFindings(findings, columns));
  if (costs) lines.push(...textFromCosts(costs, columns), '');
  if (problem) lines.push(`${problem.message} ${problem.hint}`);
  const which = unseen ? 'Not all locks' : 'Locks';
  lines.push(
    canObserve
      ? `${which} can be observed here, at best with --observe ${bestLevel}.`
      : 'Locks cannot be observed here.',
  );
  return `${lines.join('\n')}\n`;
}

/** What is not seen without a right, and the line that grants it, which is never broken. */
function linesOfLimit({ message, values }: Problem, columns: number): string[] {
  const grant = 'grant' in values ? values.grant : '';
  return [
    ...paragraph(message.replace(grantText(grant), '').trim(), columns),
    ...(grant === '' ? [] : [`${INDENT}    ${grant}`]),
  ];
}

function linesOfFindings(findings: readonly FindingView[], columns: number): string[] {
  return STATES.flatMap((state) => {
    const some = findings.filter((each) => each.state === state);
    if (some.length === 0) return [];
    const lines =
      state === 'good'
        ? some.flatMap((each) => titleLines(each, columns))
        : togetherBySameReason(some).flatMap((group) => linesOf(group, columns));
    return [`  ${HEADINGS[state]}`, ...lines, ''];
  });
}

function linesOf(group: readonly [FindingView, ...FindingView[]], columns: number): string[] {
  const more = `${INDENT}  `;
  const [{ why, advice, fix }] = group;
  const references = new Set(group.map(({ reference }) => reference));
  return [
    ...group.flatMap((each) => titleLines(each, columns)),
    ...paragraph([why, advice].filter((text) => text !== '').join(' '), columns, more),
    // A line to copy is never broken.
    ...fix.map((line) => `${more}  ${line}`),
    ...(references.size === 1 ? [...references].map((reference) => more + reference) : []),
  ];
}

function titleLines({ title, read }: FindingView, columns: number): string[] {
  return paragraph(`${title}${readText(read)}`, columns);
}

function readText(read: FindingView['read']): string {
  return read.length === 0 ? '' : ` (${read.map(({ name, value }) => `${name} ${value}`).join(', ')})`;
}
