import { ok, type Result } from '../../shared/base/result.ts';
import { type WatchConfig, watchConfig } from '../check/config.ts';
import { type Flags, type Given, PAGE_FLAGS } from '../cli/flags.ts';
import { type Refusal, wrongUsage } from '../cli/usage-problem.ts';

/** `lockscope top`: shows locks in a terminal, or as lines. */
export type TopConfig = WatchConfig & {
  readonly command: 'top';
  /** The command ends by itself after this time; absent: when the user ends it. */
  readonly forMs?: number;
};

export function topConfig(
  words: readonly string[],
  flags: Flags,
  given: Given,
  usual: string,
): Result<TopConfig, Refusal> {
  const misplaced = PAGE_FLAGS.find(given);
  if (misplaced !== undefined) return wrongUsage(`"lockscope top" serves no page. Leave out --${misplaced}.`);
  const watched = watchConfig(words.length > 0 ? words : [usual], flags);
  if (!watched.ok) return watched;
  return ok({ command: 'top', ...watched.value, ...(flags.for === undefined ? {} : { forMs: flags.for }) });
}
