import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { DemoFault, DemoReport, DemoServerFault } from '../../../shared/wire/demo.ts';

/** One thing that happened, or a renewal that was due and did not come. Times never decrease from one to the next. */
export type Moment = { readonly id: string; readonly at: RedisTime } & (
  | { readonly kind: 'event'; readonly event: LockEvent }
  | { readonly kind: 'fault'; readonly fault: DemoFault }
  | { readonly kind: 'client-report'; readonly report: DemoReport }
  | { readonly kind: 'server'; readonly fault: DemoServerFault }
  | { readonly kind: 'overdue'; readonly holder: string; readonly leaseMs: number }
);
