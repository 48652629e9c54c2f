import { Segments } from '../ui/Segments.tsx';
import { useWords } from '../words/language.ts';

/** The parameters of the lock and try-lock buttons of a thread. */
export type ThreadOrder = {
  readonly lock: string;
  /** Null: the watchdog renews the lease. */
  readonly leaseMs: number | null;
  /** How long try lock waits, in ms. */
  readonly waitMs: number;
};

/** The lock that the threads act on first, without the demo's prefix. */
export const FIRST_LOCK = 'orders:42';
export const DEFAULT_ORDER: ThreadOrder = { lock: FIRST_LOCK, leaseMs: null, waitMs: 2000 };

const LEASES_MS = [3000, 10_000] as const;
const WAITS_MS = [0, 2000, 10_000] as const;

type ThreadOrderFormProps = { order: ThreadOrder; onChange: (order: ThreadOrder) => void };

/** Chooses the lock that the buttons act on, its lease, and how long try lock waits. */
export function ThreadOrderForm({ order, onChange }: ThreadOrderFormProps) {
  const words = useWords().stage.clients;
  const secondsOf = (ms: number) => words.seconds(String(ms / 1000));
  const leases = [
    { value: 'watchdog', label: words.leaseWatchdog },
    ...LEASES_MS.map((ms) => ({ value: String(ms), label: secondsOf(ms) })),
  ];
  const waits = WAITS_MS.map((ms) => ({ value: String(ms), label: ms === 0 ? words.notAtAll : secondsOf(ms) }));
  return (
    <div className="thread-order">
      <label className="field">
        <span>{words.lock}</span>
        <input
          type="text"
          value={order.lock}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange({ ...order, lock: event.target.value })}
        />
      </label>
      <div className="field">
        <span aria-hidden="true">{words.lease}</span>
        <Segments
          label={words.lease}
          value={String(order.leaseMs ?? 'watchdog')}
          options={leases}
          onChange={(value) => onChange({ ...order, leaseMs: value === 'watchdog' ? null : Number(value) })}
        />
      </div>
      <div className="field">
        <span aria-hidden="true">{words.tryWaits}</span>
        <Segments
          label={words.tryWaits}
          value={String(order.waitMs)}
          options={waits}
          onChange={(value) => onChange({ ...order, waitMs: Number(value) })}
        />
      </div>
    </div>
  );
}
