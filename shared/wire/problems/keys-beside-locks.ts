import { COMPANION_RULES, rulesIn } from '../../doctor/rights/acl-line.ts';

/** Whether the keys of `unseen-keys` are beside locks, such as queues: then the locks themselves may be read. */
export function areBesideLocks(grant: string): boolean {
  return rulesIn(grant).some((rule) => COMPANION_RULES.includes(rule));
}
