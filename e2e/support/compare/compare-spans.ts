import { groupedBy } from '../../../shared/base/grouped-by.ts';
import type { Span } from '../../../shared/wire/http.ts';
import { words } from './holder-story.ts';
import { type Call, isHeld, isWithin, parseTruth } from './truth.ts';
import { holdsFromCalls, type SeenHold } from './truth-holds.ts';

const LOSSES = new Set(['expired', 'force-released', 'deleted', 'evicted', 'flushed']);

/**
 * Compares what clients saw with the spans of `/api/spans` for the same locks: each hold once, with its beginning, end
 * and depth; each wait within the call that waited. The truth must have every client's uuid.
 */
export function compareSpans(lines: readonly string[], spans: readonly Span[], toleranceMs = 5): string[] {
  const { calls: all, uuids } = parseTruth(lines);
  const calls = all.filter(isHeld);
  const locks = new Set(calls.map(({ lock }) => lock));
  const slack = toleranceMs * 1000;
  const problems: string[] = [];
  const byHolder = groupedBy(calls, (call) => `${call.lock}\n${uuids.get(call.client)}:${call.thread}`);
  for (const [key, own] of byHolder) {
    const where = key.replace('\n', ' ');
    const reported = spans.filter((span) => `${span.lock}\n${span.holder}` === key);
    const holds = reported.filter(({ kind }) => kind === 'hold').sort((a, b) => a.from - b.from);
    // A thread that holds a read-write lock in write mode may also begin to read.
    const seen = [...groupedBy(own, ({ kind }) => kind).values()].flatMap(holdsFromCalls);
    seen.sort((a, b) => a.acquired.called - b.acquired.called);
    if (holds.length !== seen.length) {
      problems.push(`${where}: ${holds.length} holds are reported, the client had ${seen.length}`);
    } else {
      seen.forEach((hold, index) => {
        problems.push(...holdProblems(hold, holds[index]!, slack).map((problem) => `${where}: ${problem}`));
      });
    }
    problems.push(...waitProblems(own, reported, slack).map((problem) => `${where}: ${problem}`));
  }
  const withoutClient = spans.filter(({ lock, holder }) => locks.has(lock) && !byHolder.has(`${lock}\n${holder}`));
  return [
    ...problems,
    ...withoutClient.map((span) => `a ${span.kind} without a client is reported: ${JSON.stringify(span)}`),
  ];
}

function holdProblems(seen: SeenHold, reported: Span, slack: number): string[] {
  const problems: string[] = [];
  if (reported.openStart || !isWithin(reported.from, seen.acquired, slack)) {
    problems.push(`a hold begins at ${reported.from}, not within ${words(seen.acquired)}`);
  }
  if (reported.deepest !== seen.deepest)
    problems.push(`a hold is reported ${reported.deepest} deep, it was ${seen.deepest}`);
  const isReportedLost = LOSSES.has(reported.ended ?? '');
  if (seen.ended && !seen.isLost && !isReportedLost) {
    const isFitting = reported.ended === 'released' && reported.to !== null && isWithin(reported.to, seen.ended, slack);
    if (!isFitting)
      problems.push(`a hold ends as ${reported.ended} at ${reported.to}, not within ${words(seen.ended)}`);
  } else if (
    !isReportedLost ||
    reported.to === null ||
    reported.to > (seen.ended?.called ?? Number.POSITIVE_INFINITY) + slack
  ) {
    problems.push(`a lost hold ends as ${reported.ended} at ${reported.to}`);
  }
  return problems;
}

function waitProblems(calls: readonly Call[], reported: readonly Span[], slack: number): string[] {
  return reported.flatMap((span) => {
    if (span.kind !== 'wait') return [];
    const index = calls.findIndex(
      (each) => (each.op === 'lock' || each.op === 'try') && isWithin(span.from, each, slack),
    );
    const call = calls[index];
    if (!call) return [`a wait begins at ${span.from}, when the client did not wait`];
    // A waiter that gives up returns immediately and unsubscribes later: Redis shows only that end.
    const next = calls.slice(index + 1).find(({ op }) => op === 'lock' || op === 'try');
    const latest = span.ended === 'gave-up' ? (next?.called ?? Number.POSITIVE_INFINITY) : call.returned;
    if (span.to === null || latest === null || span.to <= latest + slack) return [];
    return [`a wait ends at ${span.to}, after ${words(call)}`];
  });
}
