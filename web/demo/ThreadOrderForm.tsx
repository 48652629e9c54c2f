import { Segments } from '../ui/Segments.tsx';

/** What the buttons of the threads ask for. */
export type ThreadOrder = {
  readonly lock: string;
  /** Null: the watchdog keeps the lease alive. */
  readonly leaseMs: number | null;
  /** How long try lock waits. */
  readonly waitMs: number;
};

export const DEFAULT_ORDER: ThreadOrder = { lock: 'orders:42', leaseMs: null, waitMs: 2000 };

const LEASES = [
  { value: 'watchdog', label: 'Watchdog' },
  { value: '3000', label: '3 s' },
  { value: '10000', label: '10 s' },
] as const;

const WAITS = [
  { value: '0', label: 'Not at all' },
  { value: '2000', label: '2 s' },
  { value: '10000', label: '10 s' },
] as const;

type ThreadOrderFormProps = { order: ThreadOrder; onChange: (order: ThreadOrder) => void };

/** Which lock the buttons act on, for how long, and how patiently. */
export function ThreadOrderForm({ order, onChange }: ThreadOrderFormProps) {
  const lease = LEASES.find(({ value }) => value === String(order.leaseMs))?.value ?? 'watchdog';
  const wait = WAITS.find(({ value }) => value === String(order.waitMs))?.value ?? '2000';
  return (
    <div className="thread-order">
      <label className="field">
        <span>Lock</span>
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
        <span aria-hidden="true">Lease</span>
        <Segments
          label="Lease"
          value={lease}
          options={LEASES}
          onChange={(value) => onChange({ ...order, leaseMs: value === 'watchdog' ? null : Number(value) })}
        />
      </div>
      <div className="field">
        <span aria-hidden="true">Try lock waits</span>
        <Segments
          label="Try lock waits"
          value={wait}
          options={WAITS}
          onChange={(value) => onChange({ ...order, waitMs: Number(value) })}
        />
      </div>
    </div>
  );
}
