import { millisBetween, type RedisTime } from '../../../base/time.ts';
import type { Context } from '../../context.ts';
import { type LockScript, type ReplicaWait, type SentScript, slackOf } from '../../mirror/replica-waits.ts';
import { clientOf, isHolder } from '../../names/names.ts';
import type { Appliers } from '../appliers.ts';

/** A wait for replicas that is shorter than this, and did not reach its limit, is not reported. */
const SLOW_MS = 100;

/** Waits of clients for replicas. Rules Y1 to Y3. */
export const REPLICAS: Appliers<'await-replicas' | 'ask-server'> = {
  'await-replicas': (to, { at, command, replicas, limitMs }, { by }) => {
    if (by === undefined || !(replicas > 0)) return;
    const sent = to.replicaWaits.sentBefore(by, at);
    const script = sent && lockScriptFrom(to, sent);
    if (!script) return;
    const { latch } = script;
    to.replicaWaits.begin({ ...script, at, command, replicas, limitMs });
    if (latch === undefined) return;
    if (limitMs === 0) to.unlocks.drop(latch);
    else to.unlocks.extend(latch, limitMs + slackOf(limitMs));
  },
  // Redisson 3.46.0 and later ask for all sections, and only if they must; some older releases ask before each script
  'ask-server': (to, { at, section }, { by }) => {
    const client = by === undefined ? undefined : to.clients.uuidAt(by);
    if (section === 'replication') to.replicaWaits.noteAsking(at);
    const hasGoneOn =
      section === 'all' || (section === 'replication' && to.replicaWaits.hasWaitedUnasked(client ?? ''));
    if (client !== undefined && hasGoneOn) reportEnded(to, client, at);
  },
};

/** The script that a thread ran on its lock; undefined if it is not the script of a known lock. */
function lockScriptFrom(to: Context, { actions, db, by, seq, at: sentAt }: SentScript): LockScript | undefined {
  let latch: string | undefined;
  let script: { lock: string; holder: string } | undefined;
  for (const action of actions) {
    if ('latch' in action) latch = action.latch;
    if (action.do !== 'fair-evict' && 'holder' in action && 'lock' in action && isHolder(action.holder ?? '')) {
      script = { lock: action.lock, holder: action.holder ?? '' };
    }
  }
  const kind = script && to.keys.find(db, script.lock)?.kind;
  return script && kind && { ...script, sentAt, db, by, kind, client: clientOf(script.holder), latch, seq };
}

/** Reports a wait of 100 ms or more after an unlock whose answer the client now has. */
export function reportAwaited(to: Context, wait: ReplicaWait | undefined, at: RedisTime): void {
  if (wait && millisBetween(wait.at, at) >= SLOW_MS) report(to, wait, at, 'answered');
}

/** Reports the waits of a client that continued after their time limit: replicas had not confirmed its scripts. */
export function reportEnded(to: Context, client: string, at: RedisTime): void {
  for (const wait of to.replicaWaits.takeEnded(client, at)) {
    report(to, wait, at, 'limit');
    if (wait.latch !== undefined) to.unlocks.drop(wait.latch);
  }
}

function report(to: Context, wait: ReplicaWait, at: RedisTime, shownBy: 'answered' | 'limit'): void {
  const { db, lock, kind, by, holder, command, replicas, limitMs, seq } = wait;
  const tookMs = Math.round(millisBetween(wait.at, at));
  to.emit(
    { db, lock, kind, at, by, certainty: 'inferred', because: [seq] },
    {
      ...{ type: 'replicas.awaited', holder, command, replicas, limitMs, tookMs, shownBy },
      ...to.replicaWaits.countSlow(wait.client, at),
    },
  );
}
