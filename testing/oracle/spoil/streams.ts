import type { Step } from '../../../shared/signals/step.ts';
import { linesOfServer } from '../../traces/group-trace.ts';
import { isOfSeveralServers } from '../../traces/grouped-trace.ts';
import { type Golden, goldens, goldensIn, goldensOfNewest, goldensOfSeveral } from '../../traces/read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from '../../traces/trace-file.ts';

/** What one server sent in one trace. */
type Stream = {
  readonly name: string;
  /** The version of Redisson in it; `undefined` if it has another library. */
  readonly release: string | undefined;
  steps(): Step[];
};

/** The streams of traces, by default of all. A trace of several servers has one stream for each server. */
function streams(single = goldens()): Stream[] {
  return [...single, ...goldensOfSeveral(), ...goldensIn('servers/')].flatMap(streamsOf);
}

function streamsOf(golden: Golden): Stream[] {
  const { folder, name, isPushFirst } = golden;
  const release = releaseOf(golden);
  return serversOf(golden.trace()).map((server) => ({
    name: [folder, name, ...(server === '' ? [] : [server])].join(' '),
    release,
    steps: () =>
      stepsFromSignals(signalsFromTrace(linesOfServer(golden.trace().split('\n'), server).join('\n')), isPushFirst),
  }));
}

/** The numbers with which the lines of each server begin; '' if there is only one server. */
function serversOf(text: string): string[] {
  if (!isOfSeveralServers(text)) return [''];
  const heads = text.split('\n').filter((line) => /^\d+ (?:\d+\.\d+ \[|> )/.test(line));
  return [...new Set(heads.map((line) => line.slice(0, line.indexOf(' '))))];
}

/** The version of Redisson in a trace: in folders that are named after a server it is 4.7.0. */
function releaseOf({ folder, name }: Golden): string | undefined {
  if (folder.startsWith('other/')) return undefined;
  const named = /redisson-([\d.]+)$/.exec(folder) ?? /-(\d+\.\d+\.\d+)$/.exec(name);
  return named?.[1] ?? '4.7.0';
}

type LeftOut = readonly (readonly [RegExp, string])[];

/** Streams that the account does not compare, each with the reason. */
export const LEFT_OUT: LeftOut = [
  [/failover-lock-lost\.restart/, 'the server loses its data in the middle, which no line shows'],
  [/^other\/rueidislock/, 'three keys are one lock, and the account knows one key a lock'],
  [/^other\/symfony/, 'the account has no scripts with a mark beside their permits'],
  [/^other\/sidekiq/, 'the account has no hashes with the ids of jobs'],
  [/^other\/(?:laravel|celery)/, 'nothing but the names of their keys shows the library'],
  [/^other\/lock4j/, 'an attempt is a script without a library: others have the same text'],
  [/failover-lock-lost\.unconfirmed-3\.52\.0 1$/, 'a copy of another server, which expires no key by itself'],
];

/** Streams that are compared only as a whole, not in parts, each with the reason. */
const NOT_IN_PARTS: LeftOut = [
  [/^servers/, 'several masters, or no key events'],
  [
    /semaphore|latch|redis-py|node-redlock|orphan-job-lock|no-ttl-lock/,
    'strings and sorted sets: the reads of `part.test.ts` give hashes only',
  ],
];

/** Streams that are not compared by key events alone, each with the reason. */
const NOT_BY_KEY_EVENTS: LeftOut = [
  [/events-off/, 'they have no key events'],
  [/ group-lock/, 'reads show the end of a value by the clock of its client'],
];

export const LEFT_OUT_OF_PARTS: LeftOut = [...NOT_IN_PARTS, ...NOT_BY_KEY_EVENTS];

/** The streams of Redisson that are also compared in parts: seen by commands, or by key events alone. */
export function partStreams(hasCommands: boolean): Stream[] {
  const leftOut = hasCommands ? NOT_IN_PARTS : LEFT_OUT_OF_PARTS;
  const isLeftOut = (name: string) => leftOut.some(([pattern]) => pattern.test(name));
  return comparedStreams(goldensOfNewest()).filter(({ name, release }) => release !== undefined && !isLeftOut(name));
}

/** The streams that the account compares. */
export function comparedStreams(single = goldens()): Stream[] {
  return streams(single).filter(({ name }) => !LEFT_OUT.some(([pattern]) => pattern.test(name)));
}

/** At most this many equal attempts are kept in a row. */
const LEFT_IN_A_ROW = 20;

/**
 * Leaves out most attempts of a hot loop: thousands in a row that change nothing. The stream means the same without
 * them.
 */
export function withoutHotLoops(steps: readonly Step[]): Step[] {
  const counts = new Map<string, number>();
  return steps.filter((step) => {
    if (step.kind !== 'command' || step.pushes.length > 0) {
      counts.clear();
      return true;
    }
    const names = step.inner.map(({ words }) => words[0]);
    const run = [step.head.client, ...step.head.words.slice(0, 2), ...names].join(' ');
    const count = (counts.get(run) ?? 0) + 1;
    counts.set(run, count);
    return step.inner.length === 0 || count <= LEFT_IN_A_ROW;
  });
}
