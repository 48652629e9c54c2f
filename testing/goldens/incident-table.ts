import { DETECTORS } from '../../shared/insights/detectors/all.ts';
import type { Seen, SeenInTrace } from './seen-insights.ts';

/** The folders whose traces are named after an incident: `ID.variant-VERSION`. */
const OF_INCIDENTS = /^(?:groups\/|servers\/)?(?:incidents|failover)\//;
/** Counter-examples that have no side file to mark them as such. */
const COUNTER_EXAMPLES: readonly string[] = [
  'groups/incidents/multilock-livelock.sorted-4.7.0',
  'servers/failover/failover-lock-lost.unconfirmed-3.52.0',
];

/**
 * Why the incident of a trace is not found there, by the name of the trace without the version. A test compares these
 * names with the traces.
 */
const REASONS: Readonly<Record<string, string>> = {
  'granted-after-timeout':
    "Two threads of a client get their locks at once after 1.6 s without a line, and then send nothing. Two jobs that begin at the same time and set leases look the same. Lockscope has a heartbeat that shows whether Redis stood still in such a hole; the recorder of this trace had none. The lease, 3 s, is never renewed, so nothing shows that it is a watchdog's.",
  'failover-lock-lost.unconfirmed':
    'Nothing is lost in it: the lock is acquired and released 8 ms later, and no server fails over. Only a risk is in it: the client sends `WAIT 0 0` once and then no `WAIT`, so no replica confirms its locks.',
  'subscription-pool-exhausted':
    'A thread is refused once and sends nothing for 6 s, because its client has no free connection for a `SUBSCRIBE`. A `tryLock()` without a wait sends the same, so one such silence proves nothing. That another thread of the client is subscribed to another lock proves nothing either: the limits of its pool are not on the wire, and a client may use `lock()` and `tryLock()`. The next attempt of the thread comes when the application wants. The leak that exhausts a pool is found (`.leak`).',
  'topology-churn.script-flush':
    'It did no harm: the client loaded each script again within 3 ms, and no lock was lost. Redis answers NOSCRIPT a few times whenever a client starts, so only many such answers are reported.',
};

const HEAD = `# Which incidents are found on their traces

Each trace here is a real client in one incident, or a counter-example: the same steps with a version that is not affected. The detector
of the incident must report it, and must be silent on the counter-example. It is looked at as in \`INSIGHTS.md\`, at level \`monitor\`.

"First" and "last" are in seconds from the beginning of the trace. "Also" are other insights of severity warning or critical on that trace.
A row with **not found** is a gap of Lockscope, or of the trace: the reasons are below the table. The test \`insight-goldens.test.ts\` compares this file; with \`UPDATE_INSIGHTS=1\` it writes it.

`;
const COLUMNS = `| trace | result | confidence | first | last | of | also |
| --- | --- | --- | --- | --- | --- | --- |
`;

/** The incident of a trace, and whether it happens there. Undefined for traces that are not named after one. */
function subjectOf({ name, occurs }: SeenInTrace): { incident: string; occurs: boolean } | undefined {
  if (!OF_INCIDENTS.test(name)) return undefined;
  const incident = name.replace(/^.*\//, '').replace(/(\.|-(?=\d)|-redis-py|-node-redlock).*$/, '');
  return { incident, occurs: occurs ?? !COUNTER_EXAMPLES.includes(name) };
}

/** The counter-examples on which their incident is reported. There should be none. */
export function falseAlarms(traces: readonly SeenInTrace[]): string[] {
  return traces.filter((trace) => subjectOf(trace)?.occurs === false && ofIncident(trace).length > 0).map(nameOf);
}

/**
 * The traces on which their incident is not found, and the names that have a reason; all names without their version.
 */
export function notFound(traces: readonly SeenInTrace[]): { readonly names: string[]; readonly withReason: string[] } {
  const missed = traces.filter((trace) => subjectOf(trace)?.occurs && ofIncident(trace).length === 0);
  const names = [...new Set(missed.map((trace) => nameOf(trace).replace(/-\d+\.\d+\.\d+$/, '')))].sort();
  return { names, withReason: Object.keys(REASONS).sort() };
}

/** The text of INCIDENTS.md. */
export function incidentTable(traces: readonly SeenInTrace[]): string {
  const subjects = traces
    .filter((trace) => subjectOf(trace) !== undefined)
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const happening = subjects.filter((trace) => subjectOf(trace)?.occurs);
  const found = happening.filter((trace) => ofIncident(trace).length > 0);
  const silent = subjects.filter((trace) => !happening.includes(trace) && ofIncident(trace).length === 0);
  return [
    HEAD,
    `Found on ${found.length} of ${happening.length} traces; `,
    `silent on ${silent.length} of ${subjects.length - happening.length} counter-examples.\n\n`,
    COLUMNS,
    ...subjects.map(rowOf),
    '\n## Why the others are not found\n\n',
    ...Object.entries(REASONS).map(([name, reason]) => `- \`${name}\`: ${reason}\n`),
    '\nIncidents that are not here have no such trace. Stories test their detectors, beside them in `shared/insights/detectors`.\n',
  ].join('');
}

function rowOf(trace: SeenInTrace): string {
  const seen = ofIncident(trace);
  const otherAlarms = trace.seen.filter((each) => !seen.includes(each) && isAlarm(each));
  const cells = [
    nameOf(trace),
    resultOf(trace),
    [...new Set(seen.flatMap(({ ratings }) => [...ratings]))].join(' → '),
    ...(seen.length === 0
      ? ['', '']
      : [inSeconds(Math.min(...seen.map(({ first }) => first))), inSeconds(Math.max(...seen.map(({ last }) => last)))]),
    inSeconds(trace.lengthMs),
    [...new Set(otherAlarms.map(({ insight }) => insight.incident))].join(', '),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function resultOf(trace: SeenInTrace): string {
  const isFound = ofIncident(trace).length > 0;
  const subject = subjectOf(trace);
  const missing = DETECTORS.some(({ incident }) => incident === subject?.incident) ? '' : ', no detector';
  if (!subject?.occurs) return isFound ? '**false alarm**' : `counter-example, silent${missing}`;
  return isFound ? 'found' : `**not found**${missing}`;
}

function ofIncident(trace: SeenInTrace): Seen[] {
  const subject = subjectOf(trace);
  return trace.seen.filter(({ insight }) => insight.incident === subject?.incident);
}

function isAlarm({ ratings }: Seen): boolean {
  return [...ratings].some((rating) => !rating.startsWith('hint'));
}

function nameOf({ name }: SeenInTrace): string {
  return name.replace(OF_INCIDENTS, '');
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
