import { assertNever } from '../../shared/base/assert-never.ts';
import { millisBetween } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { durationText } from '../ui/time-text.ts';
import type { Words } from '../words/words.ts';

type CounterEvent = Extract<LockEvent, { type: `permits.${string}` | `latch.${string}` }>;

/** The details of a semaphore or latch event, one text per fact. */
export function counterFacts(event: CounterEvent, words: Words): string[] {
  const { counters, events, time } = words;
  switch (event.type) {
    case 'permits.set':
      return [
        event.changedBy === undefined ? '' : counters.changed(event.changedBy),
        event.isFound ? counters.found : '',
        numbersText(event, counters),
      ];
    case 'permits.acquired':
      return [
        event.permits === undefined ? '' : counters.taken(event.permits),
        idsText(event.permitIds, counters),
        event.isDrain ? counters.drained : '',
        event.expiresAt === undefined
          ? ''
          : counters.until(durationText(millisBetween(event.at, event.expiresAt), time)),
        event.wokenBy === undefined ? '' : event.wokenBy === 'message' ? events.wokenByMessage : events.wokenByTimer,
        numbersText(event, counters),
      ];
    case 'permits.refused':
      return [counters.asked(event.permits), event.asleep ? events.sleepsNow : '', numbersText(event, counters)];
    case 'permits.released':
      return [
        counters.taken(event.permits),
        idsText(event.permitIds, counters),
        event.isLate ? counters.late : '',
        event.raisedBy === undefined ? '' : counters.raised(event.raisedBy),
        numbersText(event, counters),
      ];
    case 'permits.expired':
      return [counters.taken(event.permits), idsText(event.permitIds, counters), numbersText(event, counters)];
    case 'permits.renewed': {
      const left = event.expiresAt === null ? null : durationText(millisBetween(event.at, event.expiresAt), time);
      return [idsText(event.permitIds, counters), left === null ? counters.forEver : counters.until(left)];
    }
    case 'latch.set':
      return [counters.count(event.count), event.isFound ? counters.found : ''];
    case 'latch.counted-down':
      return [event.wasOpen ? counters.wasOpen : event.count === undefined ? '' : counters.left(event.count)];
    case 'latch.opened':
      return [];
    case 'latch.deleted':
      return [event.command === undefined ? '' : events.by(event.command)];
    default:
      return assertNever(event);
  }
}

const ID_SHOWN = 8;

function idsText(ids: readonly string[] | undefined, words: Words['counters']): string {
  const [first, ...others] = ids ?? [];
  return first === undefined ? '' : words.ids(first.slice(0, ID_SHOWN), others.length);
}

function numbersText({ available, total }: { available?: number; total?: number }, words: Words['counters']): string {
  if (available === undefined) return '';
  return total === undefined ? words.free(available) : words.freeOf(available, total);
}
