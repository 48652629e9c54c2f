import { count } from '../../shared/base/count.ts';
import type { ObserveLevel } from '../../shared/base/observe-level.ts';
import type { Report } from '../../shared/insights/insight.ts';
import type { RunReport, Watched } from '../../shared/wire/check.ts';
import { reportBodyFrom } from '../../shared/wire/insights/insights-from-report.ts';
import { printable } from '../cli/printable.ts';
import {
  FAULTS,
  type Fault,
  type FaultKind,
  faultOfVerdict,
  isAllowed,
  kindOfIncident,
  withoutRepeats,
} from './fault.ts';
import { type JunitCase, junitXml } from './junit.ts';
import { isWhole, linesOfWatched } from './watched.ts';

/** The exit code if there are faults, and the program itself has not failed. */
const FAULTY = 4;

/** What a run has found. `from`: when the program was started; `at`: now. Both are Redis time in µs. */
export type RunResult = {
  readonly from: number;
  readonly at: number;
  readonly programExitCode: number;
  /** Faults from events, and from locks that are still held. */
  readonly seen: readonly Fault[];
  /** Events that were not kept. */
  readonly more: number;
  /** The verdicts since the program was started. */
  readonly report: Report;
  readonly watched: Watched;
  readonly sight: RunSight;
};

/** What could be seen while the program ran. */
export type RunSight = {
  /** The levels at which sources were watched. */
  readonly levels: ReadonlySet<ObserveLevel>;
  /** False: a lock that is acquired and released between two reads is not seen. */
  readonly seesNewLocks: boolean;
  /** Whether all locks that are held at the end are known. */
  readonly hasReadLocks: boolean;
};

export function runReportFrom(result: RunResult, allow: readonly string[]): RunReport {
  const { from, at, programExitCode, seen, more, report, watched, sight } = result;
  const body = reportBodyFrom(report);
  const verdicts = report.insights.flatMap((insight, n) => {
    const wire = body.insights[n];
    return wire === undefined || insight.severity === 'hint' ? [] : [faultOfVerdict(insight, wire)];
  });
  const all = withoutRepeats(verdicts, seen).sort(
    (a, b) => FAULTS.indexOf(a.kind) - FAULTS.indexOf(b.kind) || a.at - b.at,
  );
  const faults = all.filter((fault) => !isAllowed(fault, allow));
  return {
    ...{ event: 'report', v: 1, ...watched, from, at, programExitCode },
    ...{ cannotTell: body.cannotTell, failed: body.failed },
    exitCode: exitCodeOf(programExitCode, faults.length + more, watched, report),
    faults: faults.map(wireFault),
    ...(more > 0 ? { more } : {}),
    allowed: all.filter((fault) => isAllowed(fault, allow)).map(wireFault),
    notChecked: [...notChecked(sight), ...notSeen(watched), ...notRun(report)],
  };
}

function wireFault(fault: Fault): RunReport['faults'][number] {
  return { ...fault, holders: [...fault.holders], events: [...fault.events] };
}

/** The program's own failure comes first. A run that was not watched to its end, or not checked, has not passed. */
function exitCodeOf(programExitCode: number, faults: number, watched: Watched, { failed }: Report): number {
  if (programExitCode !== 0) return programExitCode;
  if (faults > 0) return FAULTY;
  return isWhole(watched) && failed.length === 0 ? 0 : 1;
}

/** Kinds of fault that only commands show. */
const NEED_COMMANDS: readonly FaultKind[] = ['deadlock', 'unlock-refused'];

function notChecked({ levels, seesNewLocks, hasReadLocks }: RunSight): RunReport['notChecked'] {
  const lower = [...levels].filter((level) => level !== 'monitor');
  if (lower.length === 0) return [];
  const why = `Not seen at level ${lower.join(', ')}. Use --observe monitor.`;
  const short = 'Locks that are held for a short time are not seen here. Use --observe monitor.';
  return [
    ...NEED_COMMANDS.map((kind) => ({ kind, why })),
    ...(seesNewLocks ? [] : [{ kind: 'lease-ended', why: short }]),
    ...(hasReadLocks ? [] : [{ kind: 'left-behind', why: 'The locks that are held at the end could not be read.' }]),
  ];
}

/** Kinds of fault that happen at one instant, so that a blind spot may hide them. */
const OF_AN_INSTANT: readonly FaultKind[] = ['deadlock', 'lease-ended', 'unlock-refused'];

function notSeen({ blindSpots }: Watched): RunReport['notChecked'] {
  const why = 'A part of the time was not watched.';
  return blindSpots.length === 0 ? [] : OF_AN_INSTANT.map((kind) => ({ kind, why }));
}

function notRun({ failed }: Report): RunReport['notChecked'] {
  const why = 'A check failed because of an internal error.';
  return [...new Set(failed.map(({ incident }) => kindOfIncident(incident)))].map((kind) => ({ kind, why }));
}

/** The report for people. No name of a lock can add a line. */
export function textOfRun(report: RunReport): string {
  const { faults, more = 0, allowed, notChecked: unseen, exitCode, programExitCode } = report;
  const n = faults.length + more;
  const none = allowed.length === 0 ? 'No faults of locks were seen' : 'Only allowed faults of locks were seen';
  const head = n === 0 ? none : `${count(n, 'fault')} of locks`;
  const lines = [
    `${head} while the program ran. Exit code ${exitCode}${exitCode === programExitCode ? ", the program's own" : ''}.`,
    ...faults.map(lineOfFault),
    ...(more > 0 ? [`  ${more} more that are not listed`] : []),
    ...allowed.map((fault) => `${lineOfFault(fault)} (allowed)`),
    ...unseen.map(({ kind, why }) => `Not checked: ${kind}. ${why}`),
    ...linesOfWatched(report),
  ];
  return `${lines.map((line) => `lockscope: ${printable(line)}`).join('\n')}\n`;
}

function lineOfFault({ kind, incident, source, db, lock, text }: RunReport['faults'][number]): string {
  const place = lock === undefined ? source : `${lock} (${source}, database ${db})`;
  return `  ${kind}${incident === undefined ? '' : ` ${incident}`}  ${place}: ${text}`;
}

const CASE_NAMES: Readonly<Record<FaultKind, string>> = {
  'left-behind': 'No lock is left behind',
  deadlock: 'No threads wait for each other',
  'lease-ended': 'No lease ends before its lock is released',
  'unlock-refused': 'No unlock is refused',
  'other-verdict': 'No other problem is seen',
};

/** The report as JUnit XML: one test case for each kind of fault. */
export function junitOfRun(report: RunReport): string {
  const { from, at, faults, allowed, notChecked: unseen } = report;
  const cases = FAULTS.map((kind): JunitCase => {
    const failures = faults.filter((fault) => fault.kind === kind).map((fault) => printable(lineOfFault(fault).trim()));
    const output = allowed
      .filter((fault) => fault.kind === kind)
      .map((fault) => `Allowed: ${printable(lineOfFault(fault).trim())}`);
    const skipped = unseen.find((each) => each.kind === kind)?.why;
    return { name: CASE_NAMES[kind], failures, output, ...(skipped === undefined ? {} : { skipped }) };
  });
  return junitXml({
    name: 'lockscope',
    timestamp: new Date(Math.floor(from / 1000)).toISOString(),
    seconds: Math.max(0, at - from) / 1_000_000,
    cases,
    output: linesOfWatched(report).map(printable),
  });
}
