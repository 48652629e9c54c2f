import { KINDS } from '../../../shared/events/kinds/kinds.ts';
import { wantedBy } from '../../../shared/insights/attention.ts';
import type { WireInsight } from '../../../shared/wire/insight.ts';
import type { Lock } from '../../../shared/wire/lock.ts';
import type { Words } from '../../words/words.ts';

/** The verdict about a lock in a word. `until`: when it ends by itself, in Redis time. */
export type LockVerdict = {
  readonly word: keyof Words['verdicts']['ofMeaning'];
  readonly until: number | null;
  readonly isBad: boolean;
};

/** A lock that changes hands while this many or more wait is a convoy. */
const CONVOY = 5;

/** What a problem means for the lock, by incident. All others are just a problem. */
const WORDS: Readonly<Record<string, 'lost' | 'orphaned' | 'stuck'>> = {
  'lease-shorter-than-work': 'lost',
  'watchdog-starved': 'lost',
  'renewal-broken-after-error': 'lost',
  'watchdog-batch-failure': 'lost',
  'failover-lock-lost': 'lost',
  'evicted-lock-key': 'lost',
  'operator-delete-or-flush': 'lost',
  'foreign-delete': 'lost',
  'redlock-node-restart': 'lost',
  'read-renewal-lost': 'lost',
  'holder-crashed-wait-ttl': 'orphaned',
  'granted-after-timeout': 'orphaned',
  'orphan-job-lock': 'orphaned',
  'abba-deadlock': 'stuck',
  'jvm-redis-deadlock': 'stuck',
  'holder-thread-ended': 'stuck',
  'multilock-livelock': 'stuck',
  'zombie-renewal': 'stuck',
  'phantom-hold-count': 'stuck',
  'no-ttl-lock': 'stuck',
  'rwlock-zombie-reader': 'stuck',
  'missed-wakeup': 'stuck',
  'silent-release': 'stuck',
  'waiter-asleep-without-limit': 'stuck',
  'fair-head-dead': 'stuck',
  'fair-orphan-entry': 'stuck',
  'writer-starvation': 'stuck',
};

/** The verdict about a lock at the shown instant; null: it is free, and nothing is wrong. */
export function verdictOf(lock: Lock, about: readonly WireInsight[], seesWaiters: boolean): LockVerdict | null {
  const [worst] = about.filter(({ severity, to }) => severity !== 'hint' && to === null);
  if (worst) return { word: WORDS[worst.incident] ?? 'problem', until: worst.selfHealsAt, isBad: true };
  if (!lock.held) return null;
  const good = (word: LockVerdict['word']) => ({ word, until: null, isBad: false });
  const waiting = wantedBy(lock);
  if (waiting >= CONVOY && lock.handovers !== undefined && KINDS[lock.kind].wakeUp !== 'polling') return good('convoy');
  if (waiting > 0) return good('busy');
  return good(seesWaiters ? 'healthy' : 'held');
}
