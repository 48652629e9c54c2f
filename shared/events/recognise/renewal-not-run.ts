import type { LineSignal } from '../../signals/signal.ts';
import { scriptCallFromHead } from '../../signals/step.ts';
import type { Action } from '../action.ts';
import { scriptVersionFromHead } from '../libraries/script-versions.ts';
import { holderOfField, isHolder, isWriteField } from '../names/names.ts';

const RENEWALS: readonly string[] = ['renew (single)', 'renew (batch)'];

/**
 * The renewals in an `EVALSHA` that ran no command. Redis does not have the script: it answers NOSCRIPT, which MONITOR
 * does not show. The inner commands that would show what the script is are missing, so its SHA decides.
 *
 *   EVALSHA 6a3d… 2 orders:1 orders:2 30000 uuid:1 uuid:7:write
 */
export function renewalsNotRun(head: LineSignal): readonly Action[] {
  const call = scriptCallFromHead(head);
  if (!call || call.keys.length === 0 || call.args.length !== call.keys.length + 1) return [];
  if (!RENEWALS.includes(scriptVersionFromHead(head)?.operation ?? '')) return [];
  return call.keys.flatMap((lock, n): Action[] => {
    const field = call.args[n + 1] ?? '';
    if (isWriteField(field)) return [notRun(head, lock, holderOfField(field), 'write')];
    return isHolder(field) ? [notRun(head, lock, field, 'exclusive')] : [];
  });
}

function notRun({ at }: LineSignal, lock: string, holder: string, mode: 'exclusive' | 'write'): Action {
  return { do: 'renew-not-run', at, lock, holder, mode };
}
