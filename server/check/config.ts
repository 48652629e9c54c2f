import { ok, type Result } from '../../shared/base/result.ts';
import { DETECTORS } from '../../shared/insights/detectors/all.ts';
import type { ObserveLevel } from '../../shared/wire/source.ts';
import type { Flags } from '../cli/flags.ts';
import { checkUrls, type Refusal, wrongUsage } from '../cli/usage-problem.ts';
import { FAULTS } from './fault.ts';

/** What a command without a page watches. URLs still contain their passwords: never print them. */
export type WatchConfig = {
  readonly redisUrls: readonly string[];
  readonly level: ObserveLevel;
  readonly match: readonly string[];
  readonly configureNotifications: boolean;
  /** Memory limit of the whole process, in bytes. */
  readonly memory: number;
  readonly json: boolean;
};

/** `lockscope check`: reports the verdicts now, or over `forMs`. */
export type CheckConfig = WatchConfig & { readonly command: 'check'; readonly forMs: number };

/** `lockscope run`: watches while a program runs. */
export type RunConfig = WatchConfig & {
  readonly command: 'run';
  /** The program and its arguments. */
  readonly program: readonly [string, ...string[]];
  /** Incidents and kinds of fault that do not fail the run. */
  readonly allow: readonly string[];
  readonly junit?: string;
  readonly record?: string;
};

export function checkConfig(words: readonly string[], flags: Flags, usual: string): Result<CheckConfig, Refusal> {
  if (words.length > 1) return wrongUsage('"lockscope check" takes one Redis URL at most.');
  const watched = watchConfig([words[0] ?? usual], flags);
  return watched.ok ? ok({ command: 'check', ...watched.value, forMs: flags.for ?? 0 }) : watched;
}

/** `program`: the words after `--`. */
export function runConfig(
  words: readonly string[],
  program: readonly string[],
  flags: Flags,
  usual: string,
): Result<RunConfig, Refusal> {
  const [name, ...args] = program;
  if (name === undefined || words.length > 1) {
    return wrongUsage('"lockscope run" takes a Redis URL, "--" and a command: lockscope run REDIS_URL -- npm test');
  }
  const unknown = flags.allow.find((id) => !allowable().includes(id));
  if (unknown !== undefined) {
    return wrongUsage(`--allow ${unknown}: there is no such incident. Use one of ${allowable().join(', ')}.`);
  }
  const watched = watchConfig([words[0] ?? usual], flags);
  if (!watched.ok) return watched;
  return ok({
    command: 'run',
    ...watched.value,
    program: [name, ...args],
    allow: flags.allow,
    ...(flags.junit === undefined ? {} : { junit: flags.junit }),
    ...(flags.record === undefined ? {} : { record: flags.record }),
  });
}

/** The possible values of `--allow`: kinds of fault, and incidents. */
function allowable(): string[] {
  return [...FAULTS.filter((kind) => kind !== 'other-verdict'), ...DETECTORS.map(({ incident }) => incident)];
}

/** Checks the URLs and the flags of every command without a page. */
export function watchConfig(urls: readonly string[], flags: Flags): Result<WatchConfig, Refusal> {
  const redisUrls = checkUrls(urls);
  if (!redisUrls.ok) return redisUrls;
  return ok({
    redisUrls: redisUrls.value,
    level: flags.observe === 'auto' ? 'events' : flags.observe,
    match: flags.match,
    configureNotifications: flags['configure-notifications'],
    memory: flags.memory,
    json: flags.json,
  });
}
