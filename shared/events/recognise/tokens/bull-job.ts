import type { LineSignal } from '../../../signals/signal.ts';
import type { Action } from '../../action.ts';
import type { Family } from '../family.ts';
import type { ScriptRun } from '../script-run.ts';
import { leaseOf } from '../set-nx.ts';

const STALLED = ':stalled';
const LOCK = ':lock';

/**
 * Locks of jobs in BullMQ and Bull. Their scripts do much more, and for several jobs: only commands on keys
 * `bull:QUEUE:JOB:lock` count. The queue is known from the key of its stalled jobs.
 *
 *   … RPOPLPUSH → SET k T PX …         acquired          GET k → SET k T PX → SREM       renewed
 *   SREM → SET k T PX …                acquired (Bull 4)
 *   … GET k → DEL k → SREM …           released          GET k                          refused
 */
export const BULL_JOB: Family = {
  kind: 'token-lock',
  begins: ['hmget', 'hget', 'exists', 'get', 'time', 'zrangebyscore', 'rpoplpush', 'sismember', 'lrem', 'srem'],
  recognise(run) {
    const stalled = run.keys.find((key) => key.endsWith(STALLED));
    if (stalled === undefined) return undefined;
    const prefix = stalled.slice(0, 1 - STALLED.length);
    const actions: Action[] = [];
    for (let n = 0; n < run.lines.length; n++) {
      const line = run.lines[n];
      const lock = line?.words[1] ?? '';
      if (!line || !lock.startsWith(prefix) || !lock.endsWith(LOCK) || lock === prefix + LOCK.slice(1)) continue;
      const did = didTo(run, n, line, lock);
      if (did) actions.push(did);
    }
    return actions.length > 0 ? actions : undefined;
  },
};

function didTo(run: ScriptRun, n: number, line: LineSignal, lock: string): Action | undefined {
  const { lines, names, args, keys } = run;
  const common = { at: line.at, lock, library: 'bullmq', evidence: 'sure' } as const;
  const isNextAbout = lines[n + 1]?.words[1] === lock;
  switch (names[n]) {
    case 'set': {
      const isRenewal = names[n - 1] === 'get' && lines[n - 1]?.words[1] === lock;
      return { do: isRenewal ? 'token-renew' : 'token-take', ...common, token: line.words[2], lease: leaseOf(line) };
    }
    case 'del':
    case 'unlink':
      return { do: 'token-drop', ...common, token: undefined };
    case 'get': {
      if (isNextAbout && (names[n + 1] === 'set' || names[n + 1] === 'del' || names[n + 1] === 'unlink'))
        return undefined;
      const isRenewal = run.shape.split(' ').every((name) => name === 'get' || name === 'set' || name === 'srem');
      const token = keys[0] === lock ? args[0] : undefined;
      return { do: 'token-miss', ...common, token, as: isRenewal ? 'renew' : 'release' };
    }
    default:
      return undefined;
  }
}
