import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { type Call, isWithin, type Truth, thrown } from './truth.ts';

/** Kinds with a count instead of holders. */
const COUNTING = new Set(['sem', 'psem', 'latch']);

export function isCounting(call: Call): boolean {
  return COUNTING.has(call.kind);
}

/** The fields that an event of a semaphore or latch may have in `/api/events`. */
type Reported = ReportedEvent & {
  readonly holder?: string;
  readonly permits?: number;
  readonly permitIds?: readonly string[];
  readonly available?: number;
  readonly count?: number;
  readonly wasOpen?: boolean;
};

/** The event types of each operation that changed something. */
const REPORTED_AS: Readonly<Record<string, readonly string[]>> = {
  'set sem': ['permits.set'],
  'set psem': ['permits.set'],
  'set latch': ['latch.set'],
  'acquire sem': ['permits.acquired'],
  'acquire psem': ['permits.acquired'],
  'try sem': ['permits.acquired'],
  'try psem': ['permits.acquired'],
  'drain sem': ['permits.acquired'],
  'release sem': ['permits.released'],
  'release psem': ['permits.released'],
  'down latch': ['latch.counted-down'],
};
const COUNTED = new Set(Object.values(REPORTED_AS).flat());

/**
 * Compares what clients saw of semaphores and latches with the reported events. Permits have no owner: the name of the
 * connection shows the client of an event.
 */
export function compareCounting({ calls }: Truth, events: readonly ReportedEvent[], slack: number): string[] {
  const problems: string[] = [];
  const reported = events.map((event) => event as Reported); // only the fields of the event's own kind are read
  const explained = new Set<Reported>();
  for (const call of calls) {
    const within = reported.filter(
      (event) => event.lock === call.lock && isWithin(event.at, call, slack) && !explained.has(event),
    );
    const types = REPORTED_AS[`${call.op} ${call.kind}`] ?? [];
    const own = within.filter(({ type, holder }) => types.includes(type) && holder === call.client);
    const wanted = hasChanged(call) ? 1 : 0;
    const matching = own.filter((event) => isMatching(call, event));
    if (matching.length < wanted) problems.push(`not reported: ${shownCall(call)}, but ${JSON.stringify(own)}`);
    const [first] = matching;
    if (wanted === 1 && first) explained.add(first);
    problems.push(...otherProblems(call, reported, within));
  }
  const invented = reported.filter((event) => COUNTED.has(event.type) && !explained.has(event));
  return [...problems, ...invented.map((event) => `reported, but no call did it: ${JSON.stringify(event)}`)];
}

/** Checks the other events that a call must have. */
function otherProblems(call: Call, reported: readonly Reported[], within: readonly Reported[]): string[] {
  const has = (type: string) => within.some((event) => event.type === type);
  const value = call.outcome && 'value' in call.outcome ? call.outcome.value : undefined;
  if (call.op === 'try' && !hasChanged(call) && !has('permits.refused'))
    return [`not reported as refused: ${shownCall(call)}`];
  if (call.op === 'release' && thrown(call) !== undefined && !has('unlock.refused')) {
    return [`not reported as refused: ${shownCall(call)}`];
  }
  if (call.op === 'await' && value !== 'false') {
    const opened = reported.some(
      ({ type, lock, at }) => type === 'latch.opened' && lock === call.lock && at <= endOf(call),
    );
    return opened ? [] : [`came through a latch that was not opened: ${shownCall(call)}`];
  }
  if (call.op === 'available') {
    const last = reported.findLast(
      ({ lock, at, available }) => lock === call.lock && at <= endOf(call) && available !== undefined,
    );
    return String(last?.available) === value ? [] : [`reported ${last?.available} free: ${shownCall(call)}`];
  }
  return [];
}

function endOf({ returned }: Call): number {
  return returned ?? Number.POSITIVE_INFINITY;
}

/** Whether the numbers and ids of an event match the arguments or the result of the call. */
function isMatching(call: Call, event: Reported): boolean {
  const value = call.outcome && 'value' in call.outcome ? call.outcome.value : '';
  switch (`${call.op} ${call.kind}`) {
    case 'acquire psem':
    case 'try psem':
    case 'release psem':
      return event.permitIds?.length === 1 && event.permitIds[0] === value;
    case 'acquire sem':
    case 'try sem':
    case 'release sem':
      return event.permits === (call.args[0] ?? 1);
    case 'drain sem':
      return String(event.permits) === value && event.available === 0;
    case 'set sem':
    case 'set psem':
      return event.available === call.args[0];
    case 'set latch':
      return event.count === call.args[0];
    default:
      return true;
  }
}

/** Whether a call changed the count. A refused call does not. */
function hasChanged(call: Call): boolean {
  if (!call.outcome || !('value' in call.outcome)) return false;
  const { value } = call.outcome;
  return REPORTED_AS[`${call.op} ${call.kind}`] !== undefined && value !== 'false' && value !== 'null';
}

function shownCall(call: Call): string {
  return `${call.client} ${call.letter} ${call.op} ${call.kind} ${call.lock} ${call.args.join(' ')}`;
}
