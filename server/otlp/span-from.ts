import type { HrTime } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { isTokenKind } from '../../shared/events/kinds/kinds.ts';
import type { Wait } from '../../shared/spans/wait.ts';
import { addressParts, cut, type SourceFacts } from './attributes.ts';
import type { EndedSpan } from './ended-span.ts';
import type { SpanPlace } from './span-place.ts';

/** What all exported data share. */
export type Origin = {
  readonly resource: Resource;
  readonly scope: { readonly name: string; readonly version: string };
};

/** The names of spans. A hold or wait whose beginning or end was not seen lasted longer than its span: `part`. */
const SPAN_NAMES = {
  hold: { whole: 'lock hold', part: 'lock hold (part)' },
  wait: { whole: 'lock wait', part: 'lock wait (part)' },
} as const;

/** `SpanKind.INTERNAL`, `TraceFlags.SAMPLED` and `SpanStatusCode.UNSET`: constants of the specification. */
const INTERNAL = 0;
const SAMPLED = 1;
const UNSET = 0;

const ZERO: HrTime = [0, 0];
/** How a hold or wait ended if its end was not seen: it lasted until then, at least. */
const UNSEEN_ENDS: ReadonlySet<string> = new Set(['unseen', 'lost', 'moved', 'presumed-gone']);

/** The span as the SDK exports it. */
export function spanFrom(ended: EndedSpan, source: SourceFacts, { resource, scope }: Origin): ReadableSpan {
  const { what, span, place, parent, begin, end, notes, droppedNotes, wokenBy, droppedLinks } = ended;
  const isBeginUnseen = begin === undefined || span.isOpenStart;
  const how = endOf(ended);
  const isEndUnseen = UNSEEN_ENDS.has(how);
  const name = SPAN_NAMES[what][isBeginUnseen || isEndUnseen ? 'part' : 'whole'];
  const attributes = {
    ...source.attributes,
    ...attributesOf(ended),
    'lock.end': how,
    'lock.observed': begin?.certainty === 'observed' && end.certainty === 'observed',
    ...(isBeginUnseen ? { 'lock.begin.unseen': true } : {}),
    ...(isEndUnseen ? { 'lock.end.unseen': true } : {}),
  };
  return {
    name,
    kind: INTERNAL,
    spanContext: () => contextOf(place),
    ...(parent ? { parentSpanContext: contextOf(parent) } : {}),
    startTime: hrTime(span.from),
    // An inferred event may be dated before the beginning, by less than a millisecond.
    endTime: hrTime(span.to === null || span.to < span.from ? span.from : span.to),
    status: { code: UNSET },
    attributes,
    links: wokenBy.map((sender) => ({ context: contextOf(sender), attributes: WOKEN })),
    events: notes.map(noteFrom),
    duration: ZERO, // not exported
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: droppedNotes,
    droppedLinksCount: droppedLinks,
  };
}

const WOKEN = { 'lock.link': 'woken-by' };

/** Redis time as the SDK has times: seconds, and nanoseconds of the second. */
export function hrTime(at: RedisTime): HrTime {
  return [Math.floor(at / 1e6), (at % 1e6) * 1000];
}

export function contextOf({ traceId, spanId }: NonNullable<SpanPlace>) {
  return { traceId, spanId, traceFlags: SAMPLED };
}

/**
 * How the hold or wait ended. `unknown`: it was not seen whether the hold was released or deleted. `acquired`: the wait
 * ended with the lock.
 */
function endOf({ what, span }: EndedSpan): string {
  if (what === 'hold') return span.ended === 'freed' ? 'unknown' : (span.ended ?? '');
  return isWakeUp(span.ended) ? 'acquired' : (span.ended ?? '');
}

function isWakeUp(ended: Wait['ended']): ended is 'message' | 'own-timer' {
  return ended === 'message' || ended === 'own-timer';
}

function attributesOf(ended: EndedSpan) {
  const { of, span, begin, end } = ended;
  const { kind, kindKnown, library, by } = begin ?? end;
  const isRedisson = library === undefined && kindKnown !== false && !isTokenKind(kind);
  return {
    'db.namespace': String(of.db),
    ...addressParts('client', ended.what === 'hold' || begin ? by : undefined),
    'lock.name': cut(of.lock),
    'lock.kind': kind,
    'lock.mode': span.mode,
    'lock.holder': cut(span.holder),
    'lock.library': isRedisson ? 'redisson' : (library ?? 'unknown'),
    ...(ended.what === 'hold' ? ofHold(ended) : ofWait(ended)),
  };
}

function ofHold({ span, begin, renewals }: EndedSpan & { what: 'hold' }) {
  const acquired = begin?.type === 'lock.acquired' ? begin : undefined;
  return {
    'lock.hold_count': span.deepest,
    'lock.renewals': renewals,
    ...(acquired?.leaseMs === undefined ? {} : { 'lock.lease_ms': acquired.leaseMs }),
    ...(acquired?.fencingToken === undefined ? {} : { 'lock.fencing_token': acquired.fencingToken }),
    ...(span.taker === undefined ? {} : { 'lock.taker': cut(span.taker) }),
  };
}

function ofWait({ span }: EndedSpan & { what: 'wait' }) {
  const { attempts, ended } = span;
  return { 'lock.attempts': attempts, ...(isWakeUp(ended) ? { 'lock.woken_by': ended } : {}) };
}

/** An event of the span, by the name it has in the API. */
function noteFrom(event: LockEvent) {
  const attributes: Record<string, string | number | boolean> = {};
  if (event.certainty === 'inferred') attributes['lock.observed'] = false;
  if ('attempt' in event) attributes['lock.attempt'] = event.attempt;
  if ('wokenBy' in event && event.wokenBy) attributes['lock.woken_by'] = event.wokenBy;
  if ('holdCount' in event && event.holdCount !== undefined) attributes['lock.hold_count'] = event.holdCount;
  if ('leaseMs' in event && event.leaseMs !== undefined) attributes['lock.lease_ms'] = event.leaseMs;
  if ('cause' in event && event.cause) attributes['lock.cause'] = event.cause;
  if ('reason' in event && event.reason) attributes['lock.reason'] = event.reason;
  if ('position' in event) attributes['lock.position'] = event.position;
  return { name: event.type, time: hrTime(event.at), attributes };
}
