import type { Action } from '../../shared/events/action.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { isOfSource } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { recogniseScript } from '../../shared/events/recognise/recognise-script.ts';
import type { Step } from '../../shared/signals/step.ts';
import type { LockState } from '../../shared/state/lock-state.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { World } from '../../shared/state/world.ts';

const ATTEMPTS: ReadonlySet<string> = new Set(['lock.acquired', 'lock.reentered', 'lock.refused']);
const UNLOCKS: ReadonlySet<string> = new Set(['lock.partially-released', 'lock.released', 'unlock.refused']);
/** Attempts and unlocks by scripts. Each of them must be reported as one event. */
const ATTEMPT_ACTIONS: ReadonlySet<string> = new Set([
  ...['acquire', 'refuse', 'fair-acquire', 'fair-refuse', 'read-acquire'],
  ...['token-take', 'token-again'],
]);
const UNLOCK_ACTIONS: ReadonlySet<string> = new Set([
  ...['release', 'release-partly', 'refuse-unlock', 'read-release', 'write-release'],
  'token-drop',
]);
/** Events that cannot occur in a complete trace, which has no reads and no blind spots. */
const MISPLACED: ReadonlySet<string> = new Set(['drift.healed', 'lock.found', 'blind-spot.began']);

/**
 * Interprets steps and returns, in words, each contradiction between the events. It does not use what clients saw, so
 * it works for any traffic that was seen from its beginning.
 */
export function contradictionsIn(steps: readonly Step[]): string[] {
  const interpreter = new Interpreter({ source: 'trace' });
  const world = new World();
  const problems: string[] = [];
  let newest = 0;
  for (const step of steps) {
    const events = interpreter.interpret(step);
    problems.push(...countProblems(step, events));
    for (const event of events) {
      const before = isOfSource(event) ? undefined : world.get(lockIdOf(event));
      world.apply(event);
      const after = isOfSource(event) ? undefined : world.get(lockIdOf(event));
      const report = (text: string) => problems.push(`#${event.seq} ${event.type} of ${event.lock}: ${text}`);
      if (event.seq !== newest + 1) report(`comes after #${newest}`);
      newest = event.seq;
      if (event.because?.some((seq) => seq >= event.seq)) report('its cause comes later');
      if (MISPLACED.has(event.type)) report('nothing was missed');
      if (after) for (const text of lockProblems(event, before, after)) report(text);
    }
  }
  return problems;
}

/**
 * Whether an action is on a key of rueidislock that does not decide about its lock: of three keys, only the middle one
 * does (T14). Locks with a single key have another prefix in the traces.
 */
function isOfOtherKey(action: Action): boolean {
  return 'lock' in action && /^rueidislock:[02]:/.test(action.lock ?? '');
}

/** Reports each script that does not have exactly one event for each attempt or unlock in it. */
function countProblems(step: Step, events: readonly LockEvent[]): string[] {
  if (step.kind !== 'command') return [];
  const actions = (recogniseScript(step) ?? []).filter((action) => !isOfOtherKey(action));
  const count = (types: ReadonlySet<string>) => events.filter(({ type }) => types.has(type)).length;
  const problems: string[] = [];
  const attempts = actions.filter((action) => ATTEMPT_ACTIONS.has(action.do)).length;
  if (attempts > 0 && count(ATTEMPTS) !== attempts)
    problems.push(`${wordsOf(step)}: ${count(ATTEMPTS)} attempts reported`);
  const unlocks = actions.filter((action) => UNLOCK_ACTIONS.has(action.do)).length;
  if (unlocks > 0 && count(UNLOCKS) !== unlocks) problems.push(`${wordsOf(step)}: ${count(UNLOCKS)} unlocks reported`);
  return problems;
}

function lockProblems(event: LockEvent, before: LockState | undefined, after: LockState): string[] {
  const problems: string[] = [];
  const isCounted = after.permits !== null || after.latch !== null || after.kind.includes('semaphore');
  const exclusive = after.holders.filter(({ mode }) => mode === 'exclusive' || mode === 'write');
  if (!isCounted && exclusive.length > 1) problems.push(`${exclusive.length} hold it`);
  if (!isCounted && new Set(exclusive.map(({ id }) => id)).size > 0 && hasOtherReaders(after)) {
    problems.push('a writer and others read');
  }
  if (after.holders.some(({ holdCount }) => holdCount !== null && holdCount < 1)) problems.push('held less than once');
  if (after.permits && after.permits.available < 0) problems.push('fewer permits than none');
  if (after.latch && after.latch.count < 0) problems.push('counts below zero');
  if (event.type === 'lease.expired' && before && before.holders.length === 0) problems.push('nobody held it');
  const isEnd = event.type === 'lock.released' || event.type === 'lock.partially-released';
  if (isEnd && !isCounted && !before?.holders.some(({ id }) => id === event.holder)) problems.push('it held nothing');
  const isNew = event.type === 'lock.acquired' && !isCounted;
  if (isNew && before?.holders.some(({ id, mode }) => id === event.holder && mode === event.mode)) {
    problems.push('it held it already');
  }
  return problems;
}

/** Whether a thread holds the lock while another one writes: only the writer itself may also read. */
function hasOtherReaders({ holders }: LockState): boolean {
  const writer = holders.find(({ mode }) => mode === 'write');
  return writer !== undefined && holders.some(({ id }) => id !== writer.id);
}

function wordsOf(step: Step): string {
  return step.kind === 'command' ? `${step.head.at} ${step.head.words.slice(0, 5).join(' ')}` : '';
}
