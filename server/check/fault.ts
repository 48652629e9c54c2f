import type { Incident, Insight } from '../../shared/insights/insight.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';

/**
 * The kinds of fault that `lockscope run` reports, in the order of its report. Users may write all but the last kind in
 * `--allow`.
 */
export const FAULTS = ['left-behind', 'deadlock', 'lease-ended', 'unlock-refused', 'other-verdict'] as const;
export type FaultKind = (typeof FAULTS)[number];

/** One reason why a run fails. Times are Redis time in µs. */
export type Fault = {
  readonly kind: FaultKind;
  /** The incident of the verdict that reports the fault. Absent: an event shows it, or a lock that is still held. */
  readonly incident?: string;
  readonly source: string;
  /** Absent, as `lock`: the fault is about the whole source. */
  readonly db?: number;
  readonly lock?: string;
  readonly holders: readonly string[];
  /** When the fault began. */
  readonly at: number;
  /** English, in one line. */
  readonly text: string;
  /** `seq`s of the events that show the fault. */
  readonly events: readonly number[];
};

const KIND_OF: Readonly<Partial<Record<Incident, FaultKind>>> = {
  'abba-deadlock': 'deadlock',
  'holder-crashed-wait-ttl': 'left-behind',
  'lease-shorter-than-work': 'lease-ended',
  'unlock-by-non-owner': 'unlock-refused',
};

/** The kind of fault that the verdicts about an incident report. */
export function kindOfIncident(incident: Incident): FaultKind {
  return KIND_OF[incident] ?? 'other-verdict';
}

/** The fault that a verdict reports. */
export function faultOfVerdict({ incident }: Insight, wire: WireInsight): Fault {
  const { source, db, lock, holders, from, title, explanation, advice, events } = wire;
  const place = lock === undefined ? {} : { lock, ...(db === undefined ? {} : { db }) };
  const text = `${title}. ${explanation} ${advice}`;
  return { kind: kindOfIncident(incident), incident, source, ...place, holders, at: from, text, events };
}

/** Whether `--allow` names the kind of a fault or its incident. */
export function isAllowed({ kind, incident }: Fault, allow: readonly string[]): boolean {
  return allow.includes(kind) || (incident !== undefined && allow.includes(incident));
}

/** The faults of verdicts, and those from events that no verdict reports. */
export function withoutRepeats(verdicts: readonly Fault[], others: readonly Fault[]): Fault[] {
  const keys = new Set(verdicts.flatMap((fault) => keysOf(fault)));
  return [...verdicts, ...others.filter((fault) => !keysOf(fault).some((key) => keys.has(key)))];
}

function keysOf({ kind, source, db, lock, holders }: Fault): string[] {
  return holders.map((holder) => JSON.stringify([kind, source, db, lock, holder]));
}
