import type { JudgedRun, Operation } from './account.ts';
import type { Expected } from './expected.ts';
import { hadNoEnd, holdsIn, isShortened, leaseOf, notesOf } from './holds.ts';
import { nameOf } from './names.ts';
import { reasonOf, reasonsOf, sureOf } from './refusals.ts';
import type { Tracker } from './tracker.ts';

/** Renewals of plain holds, and scripts that set an expiry. */
export const LEASES: Readonly<Record<string, Operation>> = {
  renew: (run) => run.keys.flatMap((lock, n) => renew(run, lock, run.args[n + 1] ?? '')),
  expire: (run) => run.keys.flatMap((lock) => setLease(run, lock)),
  persist: (run) => run.keys.flatMap((lock) => setLease(run, lock)),
};

function renew(run: JudgedRun, lock: string, field: string): Expected[] {
  const holder = field.replace(/:write$/, '');
  const isWrite = field !== holder;
  if (holder === '') return withoutHolder(run, lock);
  run.tracker.noteRelease(holder, run);
  if (!run.lines.some(({ words }) => words[1] === lock && words[2] === field)) return [];
  const isReader = !isWrite && notesOf(run, lock).kind === 'read-write-lock';
  const mode = isWrite ? { mode: 'write' } : isReader ? { mode: 'read' } : undefined;
  const isRenewed = run.lines.some(({ words }) => nameOf(words) === 'pexpire' && words[1] === lock);
  const reason = reasonOf(run, lock, field);
  if (!isRenewed) {
    const fields = { holder, ...mode, reason: reasonsOf(run, lock, reason) };
    return [run.expect(lock, 'renewal.refused', fields, sureOf(run, lock, reason))];
  }
  const batch = run.keys.length > 1 ? { batch: run.keys.length } : undefined;
  return [renewed(run, lock, { holder, ...mode, ...batch, ...leaseOf(run, lock) })];
}

/**
 * A renewal that names no holder, as releases 3.44.0 and 3.45.1 may send it. It is reported only if its client and its
 * lock are known.
 */
export function withoutHolder({ tracker, head, args, lines, expect }: JudgedRun, lock: string): Expected[] {
  const by = head.client ?? '';
  const hasRun = lines.some(({ words }) => words[1] === lock && (words[2] === '' || nameOf(words) === 'exists'));
  if (!hasRun || !tracker.find(head.db, lock) || tracker.clientsAt(by).size === 0) return [];
  return [expect(lock, 'renewal.without-holder', { client: tracker.clientAt(by), leaseMs: Number(args[0]) })];
}

/** For each hold, when the newest renewal arrived whose script Redis did not have. */
const unloaded = new WeakMap<Tracker, Map<string, number>>();

/**
 * Two renewals within 50 ms while Redis does not have their script: the client got no answer to the first and repeated
 * it, and neither ran. After a single such renewal, the client loads the script and sends the renewal again, so nothing
 * is reported.
 */
export function notRun({ tracker, head, script, keys, args, after, expect }: JudgedRun): Expected[] {
  if (script.operation !== 'renew' || script.releases === undefined || nameOf(head.words) !== 'evalsha') return [];
  const seen = unloaded.get(tracker) ?? new Map<string, number>();
  unloaded.set(tracker, seen);
  return keys.flatMap((lock, n) => {
    const field = args[n + 1] ?? '';
    const holder = field.replace(/:write$/, '');
    if (!holdsIn(after(lock)).has(field)) return [];
    const since = head.at - (seen.get(`${lock} ${field}`) ?? 0);
    seen.set(`${lock} ${field}`, head.at);
    const mode = field === holder ? undefined : { mode: 'write' };
    return since > 50_000 ? [] : [expect(lock, 'renewal.not-run', { holder, ...mode })];
  });
}

/** A renewal by the watchdog. One that ends earlier than the lease before shortens it. */
export function renewed(run: JudgedRun, lock: string, fields: Expected['fields'] & { holder: string }): Expected {
  if (isShortened(run, lock)) return run.expect(lock, 'lease.shortened', { ...fields, cause: 'holder' });
  const clientVersion = run.tracker.versionOf(fields.holder);
  return run.expect(lock, 'lease.renewed', { ...fields, cause: 'watchdog', clientVersion });
}

function setLease(run: JudgedRun, lock: string): Expected[] {
  const key = run.after(lock);
  if (!key || holdsIn(key).size === 0) return [];
  const type = isShortened(run, lock) ? 'lease.shortened' : 'lease.renewed';
  return [run.expect(lock, type, { cause: 'command', ...hadNoEnd(run, lock), ...leaseOf(run, lock) })];
}
