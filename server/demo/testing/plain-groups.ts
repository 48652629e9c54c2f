import { permitIdFrom } from '../../../shared/events/counter-names.ts';
import { parseMonitorLine } from '../../../shared/signals/monitor-line.ts';

/**
 * What clients sent in a trace, group by group, without what is new in every run: holders by their order in the group,
 * no times, no ids. Only what has to do with locks.
 */
export function plainGroupsOf(trace: string, leaseMs: number): string[] {
  const groups: string[][] = [];
  for (const line of trace.split('\n')) {
    const parsed = line.startsWith('>') || line.startsWith('#') ? undefined : parseMonitorLine(line);
    if (!parsed?.ok) continue;
    const { words, client } = parsed.value;
    const known = words.map((word) => (permitIdFrom(word) === undefined ? word : 'PERMIT'));
    if (client === null) groups.at(-1)?.push(known.join(' '));
    else groups.push([headOf(known)]);
  }
  return groups.filter(isOfLocks).map((group) => plain(group, leaseMs));
}

/** Not connections, not the questions of a start, and not scripts that the server did not know yet. */
function isOfLocks([head = '', ...inner]: readonly string[]): boolean {
  if (head.startsWith('EVAL')) return inner.length > 0 && !head.includes('test1');
  return /^(SUBSCRIBE|UNSUBSCRIBE|GET|DEL) /.test(head);
}

function headOf([name = '', sha = '', ...rest]: readonly string[]): string {
  return (name.startsWith('EVAL') ? ['EVAL', ...rest] : [name, sha, ...rest]).join(' ');
}

function plain(group: readonly string[], leaseMs: number): string {
  const holders: string[] = [];
  // what is left of the longest lease may by chance be all of it
  const isLonger = /^EVAL 5 .*:rwlock_timeout /.test(group[0] ?? '');
  return group
    .join(' → ')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}:\d+/g, (holder) => {
      if (!holders.includes(holder)) holders.push(holder);
      return `H${holders.indexOf(holder) + 1}`;
    })
    .replace(/[0-9a-f]{32}/g, 'ID')
    .replace(/\b1[6-9]\d{11}\b/g, 'TIME')
    .replace(/\b(PUBLISH|px|\d+ H\d) (1[6-9]\d{3}|20000)\b/g, '$1 LATCH-TTL')
    .replace(
      /pexpire (\S+) (\d+)/g,
      (_, key, ms) => `pexpire ${key} ${ms === String(leaseMs) && !isLonger ? 'LEASE' : 'REST'}`,
    );
}
