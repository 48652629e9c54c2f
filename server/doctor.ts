import type { Diagnosis } from './redis/probe.ts';

/** The diagnosis of one server as text. */
export function textFromDiagnosis(url: string, diagnosis: Diagnosis): string {
  const { problem, capabilities, levels, bestLevel, canObserve } = diagnosis;
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
  if (problem) lines.push(`${problem.message} ${problem.hint}`);
  lines.push(
    canObserve ? `Locks can be observed here, at best with --observe ${bestLevel}.` : 'Locks cannot be observed here.',
  );
  return `${lines.join('\n')}\n`;
}
