import type { HrTime } from '@opentelemetry/api';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { LockEvent } from '../../shared/events/event.ts';
import type { InsightDetail } from '../../shared/events/types/insight-event.ts';
import { titleOf } from '../../shared/insights/english.ts';
import type { Report } from '../../shared/insights/insight.ts';
import { reportBodyFrom } from '../../shared/wire/insights/insights-from-report.ts';
import { cut, type SourceFacts } from './attributes.ts';
import { contextOf, hrTime, type Origin } from './span-from.ts';
import type { SpanPlace } from './span-place.ts';

/** An event that reports the beginning or the end of a verdict. */
export type VerdictEvent = LockEvent & InsightDetail;

/** Severities by the data model of logs: ERROR, WARN and INFO. */
const SEVERITIES = { critical: [17, 'ERROR'], warning: [13, 'WARN'], hint: [9, 'INFO'] } as const;
const ENDED = [9, 'INFO'] as const;

type RecordAbout = {
  /** The verdicts now, which contain the reason; absent: they could not be requested. */
  readonly report?: Report | undefined;
  readonly source: SourceFacts;
  readonly origin: Origin;
  /** The open hold of the only holder. */
  readonly place?: SpanPlace | undefined;
  readonly observedAt: HrTime;
};

/** The log record of a verdict that began or ended. */
export function recordFrom(
  event: VerdictEvent,
  { report, source, origin, place, observedAt }: RecordAbout,
): ReadableLogRecord {
  const isOpened = event.type === 'insight.opened';
  const found = report && reportBodyFrom(report).insights.find(({ id }) => id === event.insight);
  const [severityNumber, severityText] = isOpened ? SEVERITIES[event.severity] : ENDED;
  const title = found?.title ?? titleOf(event.incident);
  const holders = found?.holders ?? event.holders ?? [];
  return {
    hrTime: hrTime(event.at),
    hrTimeObserved: observedAt,
    ...(place ? { spanContext: contextOf(place) } : {}),
    severityNumber,
    severityText,
    eventName: isOpened ? 'lock.verdict.opened' : 'lock.verdict.closed',
    body: cut(isOpened ? [title, found?.explanation].filter(Boolean).join(': ') : `${title}: ${endOf(event)}`),
    resource: origin.resource,
    instrumentationScope: origin.scope,
    attributes: {
      ...source.attributes,
      'lock.verdict.id': event.insight,
      'lock.verdict.incident': event.incident,
      'lock.verdict.severity': event.severity,
      'lock.verdict.confidence': event.confidence,
      ...(event.isAtLeast ? { 'lock.verdict.begin.unseen': true } : {}),
      ...(found?.advice ? { 'lock.verdict.advice': cut(found.advice) } : {}),
      ...(event.lock === ''
        ? {}
        : { 'lock.name': cut(event.lock), 'db.namespace': String(event.db), 'lock.kind': event.kind }),
      ...(holders.length > 0 ? { 'lock.holders': holders.map(cut) } : {}),
      'lock.observed': event.certainty === 'observed',
    },
    droppedAttributesCount: 0,
  };
}

function endOf({ isUnknown }: VerdictEvent): string {
  return isUnknown ? 'it can no longer be known.' : 'it is no longer so.';
}
