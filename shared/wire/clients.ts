import { z } from 'zod';
import { PRESENCES } from '../events/mirror/clients/client.ts';
import { WAIT_MODES } from '../events/types/hold-event.ts';
import { cursor, instant, limit, source } from './query.ts';
import { unseenThen } from './unseen-at.ts';

const presence = z.enum(PRESENCES);
const mode = z.enum(WAIT_MODES);

const holdOfClient = z.object({
  /** Id of the lock: `source/db/name`. */
  id: z.string(),
  db: z.number(),
  lock: z.string(),
  /** `uuid:thread`. */
  holder: z.string(),
  mode,
  /** When the hold or wait began, or when the wait was first seen; null: the beginning of the hold was not seen. */
  since: z.number().nullable(),
});

/** One client of one source: what CLIENT LIST shows about it, its holds and its waits. */
export const clientSchema = z.object({
  client: z.string(),
  source: z.string(),
  name: z.string().nullable(),
  /** The library of the client. Null, here and in the fields below: not known. */
  library: z.string().nullable(),
  version: z.string().nullable(),
  presence,
  /** Redis time (µs): since when the client is connected or idle, or when it was last seen. */
  since: z.number().nullable(),
  goneSince: z.number().nullable(),
  /** `host:port` of the client's connections; if it is gone, of its last known ones. */
  addresses: z.array(z.string()),
  holds: z.array(holdOfClient.extend({ holdCount: z.number().nullable() })),
  /** The number of holds that are not listed. Absent: none. */
  moreHolds: z.number().optional(),
  waits: z.array(holdOfClient.extend({ attempts: z.number(), position: z.number().nullable() })),
  moreWaits: z.number().optional(),
});

export const clientsQuery = z.object({
  source: source.optional(),
  presence: presence.optional().describe('Only clients with this presence.'),
  at: instant.optional().describe('As of this instant (Redis time, µs). Absent: now.'),
  limit: limit(1000, 200),
  cursor: cursor.optional(),
});
export const clientPath = z.object({ uuid: z.string().describe('UUID of the client.') });
export const clientQuery = clientsQuery.pick({ source: true, at: true });

export const clientsBody = z.object({
  v: z.literal(1),
  at: z.number(),
  clients: z.array(clientSchema),
  total: z.number(),
  nextCursor: z.string().optional(),
  ...unseenThen,
});

/** How a client renewed its leases from `from` on. Times are Redis times (µs); null: none was seen. */
const renewalsSchema = z.object({
  from: z.number(),
  /**
   * Counts. `renewals`: renewals by its watchdog. `late`: those after two thirds of the lease. `expired`: leases that
   * were renewed at least once and then expired.
   */
  renewals: z.number(),
  late: z.number(),
  expired: z.number(),
  /**
   * `longestMs`: the longest time from the setting of a lease to its renewal. `leastLeftMs`: the shortest time that a
   * lease had left when it was renewed.
   */
  longestMs: z.number().nullable(),
  leastLeftMs: z.number().nullable(),
  /**
   * The newest 20 ranges in which the client sent no lock command, although several of its locks were due for renewal.
   * `locks`: how many were then renewed together. `seq`: the first of these renewals.
   */
  pauses: z.array(z.object({ from: z.number(), to: z.number(), locks: z.number(), seq: z.number() })),
});
export type RenewalsView = z.output<typeof renewalsSchema>;

/** The channels of locks that a client is subscribed to. Times are Redis times (µs). */
const subscriptionsSchema = z.object({
  /** Since when every SUBSCRIBE was seen: an older subscription may be missing. */
  from: z.number(),
  /** The level at this instant, if it shows no SUBSCRIBE, or `unwatched`. Null: every SUBSCRIBE is shown. */
  unseen: z.enum(['snapshot', 'events', 'replication', 'unwatched']).nullable(),
  channels: z.array(
    z.object({
      /** Id of the lock: `source/db/name`. */
      ...{ id: z.string(), db: z.number(), lock: z.string(), channel: z.string() },
      /** When the client sent SUBSCRIBE, and the `seq` of the event that reports it. */
      ...{ since: z.number(), seq: z.number() },
      /** Whether an unknown client has left this channel since then: it may have been this client. */
      mayHaveEnded: z.boolean(),
    }),
  ),
  /** The number of channels that are not listed. Absent: none. */
  more: z.number().optional(),
});

/** What the arguments of a fair lock's scripts showed of a client's clock since `from`. */
const clockSchema = z.object({
  from: z.number(),
  /** The newest measure; null: no such script was seen. */
  measure: z
    .object({
      /**
       * By how much the client's time was ahead of that of Redis when the script ran; negative: behind. Null: they
       * differed by less than 1 s. The client wrote its time before it sent the script. So its clock may be further
       * ahead, by the time that the script needed to arrive.
       */
      aheadMs: z.number().nullable(),
      ...{ at: z.number(), seq: z.number(), db: z.number(), lock: z.string() },
    })
    .nullable(),
});
export type SubscriptionsView = z.output<typeof subscriptionsSchema>;
export type ClockView = z.output<typeof clockSchema>;

export const clientBody = clientSchema.extend({
  ...{ v: z.literal(1), at: z.number(), renewals: renewalsSchema },
  ...{ subscriptions: subscriptionsSchema, clock: clockSchema },
  ...unseenThen,
});

export type ClientView = z.infer<typeof clientSchema>;
