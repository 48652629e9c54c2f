import type { LineSignal } from '../../shared/signals/signal.ts';
import { type CommandStep, type Step, scriptCallFromHead, scriptShaOf } from '../../shared/signals/step.ts';
import { Answers } from './answers.ts';
import { type Awaited, awaitedIn } from './confirmations.ts';
import { type Expected, timesOf, type WaitRole } from './expected.ts';
import { HOLDS } from './holds.ts';
import { COUNTERS } from './kinds/counters.ts';
import { FAIR } from './kinds/fair.ts';
import { GROUPS, valuesOver } from './kinds/groups.ts';
import { READ_WRITE } from './kinds/read-write.ts';
import { SETS } from './kinds/sets.ts';
import { TOKENS } from './kinds/tokens.ts';
import { LEASES, notRun } from './leases.ts';
import { lossesOf, plainCommand } from './plain-commands.ts';
import type { RedisModel } from './redis-model.ts';
import { type Copy, Replay, type Replayed } from './replay.ts';
import { type Script, type ScriptOf, scriptOf } from './scripts.ts';
import { type Known, Tracker, UNNAMED } from './tracker.ts';

/** One script run, with the state of Redis before and after it. */
export type JudgedRun = {
  readonly tracker: Tracker;
  /** Redis after the script. */
  readonly redis: RedisModel;
  readonly script: Script;
  readonly head: LineSignal;
  readonly lines: readonly LineSignal[];
  readonly keys: readonly string[];
  readonly args: readonly string[];
  /** Redis refused the last command of the script. */
  readonly hasFailed: boolean;
  before(name: string): Copy | undefined;
  after(name: string): Copy | undefined;
  /** Makes an event of this script. */
  expect(lock: string, type: string, fields: Expected['fields'], more?: More): Expected;
};

export type More = {
  readonly because?: readonly Expected[];
  readonly wait?: WaitRole;
  readonly kinds?: readonly string[];
  readonly certainty?: readonly string[];
};

/** Returns the events that one run of a script must have. */
export type Operation = (run: JudgedRun) => Expected[];

const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...HOLDS,
  ...LEASES,
  ...FAIR,
  ...GROUPS,
  ...READ_WRITE,
  ...COUNTERS,
  ...SETS,
  ...TOKENS,
};

/** The events that a step must have, and its beginning and end in µs. */
export type Entry = { readonly at: number; readonly until: number; readonly expected: readonly Expected[] };

/** The account of a whole trace: what happened, step by step, and where Redis and the model of Redis differ. */
export type Account = {
  readonly entries: readonly Entry[];
  readonly problems: readonly string[];
  readonly tracker: Tracker;
  readonly answers: Answers;
  readonly awaited: readonly Awaited[];
};

/** Computes the events of a trace from its lines alone. */
export function accountOf(steps: readonly Step[], known: Known = {}): Account {
  const { scripts = scriptOf } = known;
  const replay = new Replay(steps);
  const tracker = new Tracker(steps, known);
  const entries: Entry[] = [];
  const problems: string[] = [];
  for (const replayed of replay.all()) {
    problems.push(...replayed.problems);
    const { step } = replayed;
    const [at, until] = step.kind === 'push' ? [step.at, step.at] : timesOf(step);
    const losses = [...lossesOf(replayed, tracker), ...valuesOver(at, tracker)];
    const expected = [...losses, ...expectedOf(replayed, { tracker, redis: replay.model, scripts })];
    entries.push({ at, until, expected });
  }
  return { entries, problems, tracker, answers: new Answers(steps), awaited: awaitedIn(steps) };
}

type Sources = { readonly tracker: Tracker; readonly redis: RedisModel; readonly scripts: ScriptOf };

function expectedOf(replayed: Replayed, { tracker, redis, scripts }: Sources): Expected[] {
  const { step } = replayed;
  if (step.kind === 'push') return [];
  const call = scriptCallFromHead(step.head);
  if (!call) {
    const events = plainCommand(judgedRunOf(step, replayed, tracker, redis), replayed.all);
    for (const event of events) noteAttempt(event, tracker);
    return events;
  }
  const script = scripts(scriptShaOf(step.head));
  if (!script) return [];
  const run = judgedRunOf(step, replayed, tracker, redis, { ...call, script });
  if (step.inner.length === 0) return notRun(run);
  const events = OPERATIONS[script.operation]?.(run) ?? [];
  for (const event of events) noteAttempt(event, tracker);
  return events;
}

/**
 * Notes when a thread was refused a lock. The note lasts until the thread acquires the lock, or is refused because of
 * an error or of its own hold.
 */
function noteAttempt({ type, db, lock, fields, between: [, at] }: Expected, tracker: Tracker): void {
  const notes = tracker.find(db, lock);
  const holder = String(fields.holder);
  const isOver = fields.reason === 'error' || fields.reason === 'own-hold';
  if (type === 'lock.acquired' || type === 'lock.reentered' || (type === 'lock.refused' && isOver)) {
    notes?.refusedAt.delete(holder);
    notes?.firstRefusedAt.delete(holder);
  } else if (type === 'lock.refused') {
    notes?.refusedAt.set(holder, at);
    if (notes?.firstRefusedAt.get(holder)?.mode !== fields.mode)
      notes?.firstRefusedAt.set(holder, { mode: fields.mode, at });
  }
}

type Call = { readonly script: Script; readonly keys: readonly string[]; readonly args: readonly string[] };

function judgedRunOf(
  step: CommandStep,
  replayed: Replayed,
  tracker: Tracker,
  redis: RedisModel,
  call?: Call,
): JudgedRun {
  const { head } = step;
  const between = timesOf(step);
  const { script, keys, args } = call ?? plainCall(head, tracker);
  const isUnnamed = script.library === undefined || UNNAMED.has(script.library);
  return {
    ...{ tracker, redis, script, head, keys, args, hasFailed: replayed.hasFailed },
    lines: step.inner.length > 0 ? step.inner : [head],
    before: replayed.before,
    after: (name) => redis.find(head.db, name),
    expect: (lock, type, fields, { because = [], wait, kinds, certainty = ['observed'] } = {}) => ({
      ...{ type, db: head.db, lock, by: head.client ?? undefined, between, certainty, because },
      kinds: kinds ?? tracker.kindsOf(head.db, lock),
      fields: isUnnamed ? fields : { library: script.library, ...fields },
      ...(wait ? { wait } : undefined),
    }),
  };
}

/**
 * What a plain command does, as if it were a script. If its key is a string that the other library in this trace uses
 * as a lock, the call belongs to that library.
 */
function plainCall({ words: [command = '', name = '', ...args] }: LineSignal, tracker: Tracker): Call {
  const library = tracker.tokenNames.has(name) ? tracker.libraryOf(name) : undefined;
  return { script: { operation: command.toLowerCase(), ...library }, keys: [name], args };
}
