import { ok, type Result } from '../../shared/base/result.ts';
import type { Flags } from '../cli/flags.ts';
import { checkUrl, type Refusal, wrongUsage } from '../cli/usage-problem.ts';

/** `lockscope doctor`. The URL still contains its password: never print it. */
export type DoctorConfig = {
  readonly command: 'doctor';
  readonly redisUrl: string;
  readonly json: boolean;
  /** The cost of each level is measured too; `isAgreed`: without asking for confirmation. */
  readonly measure?: { readonly isAgreed: boolean };
};

export function doctorConfig(
  words: readonly string[],
  { json, measure, yes }: Flags,
  usual: string,
): Result<DoctorConfig, Refusal> {
  if (words.length > 1) return wrongUsage('"lockscope doctor" takes one Redis URL at most.');
  if (yes && !measure) return wrongUsage('--yes works only with "lockscope doctor --measure".');
  const redisUrl = words[0] ?? usual;
  const checked = checkUrl(redisUrl);
  if (!checked.ok) return checked;
  return ok({ command: 'doctor', redisUrl, json, ...(measure ? { measure: { isAgreed: yes } } : {}) });
}
