import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { shown, words } from './holder-story.ts';
import { type Call, isWithin, type Truth } from './truth.ts';

const CALL_EVENTS: ReadonlySet<string> = new Set([
  ...['lock.acquired', 'lock.reentered', 'lock.refused', 'lock.partially-released', 'lock.released'],
  ...['unlock.refused', 'lock.force-released'],
]);

/** The event types for a call on values of a group lock, by its result; `undefined` if no event is expected. */
function expectedOf({ op, outcome }: Call): readonly string[] | undefined {
  const value = outcome && 'value' in outcome ? outcome.value : 'exception';
  switch (`${op} ${value}`) {
    case 'lock ok':
    case 'try true':
      return ['lock.acquired', 'lock.reentered'];
    case 'try false':
      return ['lock.refused'];
    case 'unlock ok':
      return ['lock.released', 'lock.partially-released'];
    case 'unlock exception':
      return ['unlock.refused'];
    case 'force true':
      return ['lock.force-released'];
    default:
      return undefined;
  }
}

/** Whether the call was on a group lock, for one or more of its values. */
export function isOnGroupLock({ kind }: Call): boolean {
  return kind === 'group';
}

/**
 * Compares what threads saw of a group lock (truth lines of kind `group`, `NAME/VALUE,VALUE`) with the reported events:
 * each call has the result that its last event shows, and each event has a call. Returns every difference in words.
 */
export function compareGroupLock({ calls, uuids }: Truth, events: readonly ReportedEvent[], slack = 2000): string[] {
  const callEvents = events.filter(({ type }) => CALL_EVENTS.has(type));
  const callByEvent = new Map(callEvents.map((event) => [event, callBehind(event, calls, uuids, slack)]));
  const problems: string[] = [];
  for (const call of calls) {
    const expected = expectedOf(call);
    const last = callEvents.findLast((event) => callByEvent.get(event) === call);
    if (expected === undefined) {
      if (last) problems.push(`${words(call)} only asks, but ${shown(last)} was reported`);
    } else if (!last || !expected.includes(last.type)) {
      problems.push(
        `${words(call)} should be reported as ${expected.join(' or ')}, but ${last ? shown(last) : 'nothing'} was`,
      );
    }
  }
  const others = callEvents.filter((event) => callByEvent.get(event) === undefined);
  return [...problems, ...others.map((event) => `${shown(event)}, which no call is behind`)];
}

/** The call of the same thread that matches an event. If several do, the nearest in time. */
function callBehind(
  event: ReportedEvent,
  calls: readonly Call[],
  uuids: Truth['uuids'],
  slack: number,
): Call | undefined {
  const isOwn = (call: Call) =>
    event.type === 'lock.force-released'
      ? call.op === 'force'
      : 'holder' in event && event.holder === `${uuids.get(call.client)}:${call.thread}`;
  const apart = ({ called, returned }: Call) =>
    Math.max(called - event.at, event.at - (returned ?? Number.POSITIVE_INFINITY), 0);
  const fitting = calls.filter((call) => isOwn(call) && isWithin(event.at, call, slack));
  return fitting.toSorted((a, b) => apart(a) - apart(b))[0];
}
