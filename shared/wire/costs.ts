import { z } from 'zod';
import { COSTS_BY, type Cost, type CostsBy, type WaitRanking } from '../spans/rank-waits.ts';
import { inOrder, instant, limit } from './query.ts';
import type { LockPlace } from './waits.ts';

const span = z
  .string()
  .refine((text) => /^\d{1,16},\d{1,16}$/.test(text), { params: { format: 'FROM,TO' } })
  .transform((text) => text.split(',').map(Number))
  .refine(([from = 0, to = 0]) => from <= to, { params: { format: 'FROM,TO, with TO not before FROM' } })
  .transform(([from = 0, to = 0]) => ({ from, to }));

export const costsQuery = z
  .object({
    from: instant.optional().describe('Begin (Redis time, µs). Absent: 5 minutes before `to`.'),
    to: instant.optional().describe('End (Redis time, µs). Absent: now.'),
    by: z.enum(COSTS_BY).default('lock').describe('What is ranked: locks, clients or holds.'),
    against: span.optional().describe('`FROM,TO`: another range to compare with. The largest change comes first.'),
    limit: limit(100, 20).describe('How many entries the answer may have.'),
  })
  .refine(...inOrder);

/**
 * `causedMs`: the time that other threads waited because of this lock, client or hold. The other figures are absent for
 * holds.
 */
const figures = { causedMs: z.number(), waits: z.number().optional(), waitedMs: z.number().optional() };
const place = { source: z.string(), db: z.number(), lock: z.string() };

/**
 * `before`: the figures of the compared range. `changeMs`: by how much `causedMs` is greater than in that range;
 * negative: less.
 */
const compared = { before: z.object(figures).optional(), changeMs: z.number().optional() };
/** True: a hold or wait began before it was seen, so the figures are at least these. */
const isAtLeast = z.boolean();
const lockRow = z.object({
  ...place,
  ...figures,
  ...compared,
  isAtLeast,
  /** With `hours`: how many holds there were, and how long they took together. */
  holds: z.number().optional(),
  heldMs: z.number().optional(),
  /**
   * With `hours`: the number of waits by length: less than 10 ms, from there less than 100 ms, 1 s, 10 s, 100 s, and
   * longer. Only waits whose beginning and end were seen count.
   */
  lengths: z.array(z.number()).optional(),
});
const clientRow = z.object({ client: z.string(), ...figures, ...compared, isAtLeast });
const holdRow = z.object({
  ...place,
  holder: z.string(),
  seq: z.number(),
  from: z.number(),
  /** When the hold ended; null: it had not ended at the end of the range. */
  to: z.number().nullable(),
  ...figures,
  ...compared,
  isAtLeast,
});

/** What is known about a range. */
const counted = {
  /** The counted range. With `hours` it begins and ends at whole hours. */
  from: z.number(),
  to: z.number(),
  /** True: a part of the range is not known, so everything cost at least this. */
  isAtLeast: z.boolean(),
};

/** Locks, clients or holds, ranked by what they cost other threads in ms. Times are Redis time in µs. */
export const costsBody = z.object({
  v: z.literal(1),
  /** `events`: exact sums. `hours`: the store's sums of whole hours, for more than an hour beyond memory. */
  readFrom: z.enum(['events', 'hours']),
  /** With `hours`: since when the store has such sums. With `events`: the earliest counted instant. */
  since: z.number(),
  ...counted,
  against: z.object(counted).optional(),
  rows: z.object({
    locks: z.array(lockRow).optional(),
    clients: z.array(clientRow).optional(),
    holds: z.array(holdRow).optional(),
  }),
  /** How many entries are left out. */
  more: z.number(),
});

type Span = { readonly from: number; readonly to: number };
/** What is ranked. `against`: a range to compare with. */
export type CostsAsked = Span & { readonly by: CostsBy; readonly against?: Span | undefined; readonly limit: number };
export type CostsBody = z.infer<typeof costsBody>;
export type CostRows = CostsBody['rows'];

type Figures = { readonly causedMs: number; readonly waits?: number; readonly waitedMs?: number };
type Row = Figures & { readonly isAtLeast: boolean };
/** Exact costs of one range. */
export type RangeCosts = {
  readonly from: number;
  readonly to: number;
  readonly isAtLeast: boolean;
  readonly ranking: WaitRanking;
  readonly places: ReadonlyMap<string, LockPlace>;
};

/** Ranks exact costs of one range or, with `against`, how much they differ from those of that range. */
export function costsBodyFrom(
  by: CostsBy,
  costs: RangeCosts,
  against: RangeCosts | undefined,
  most: number,
): CostsBody {
  const { from, to, isAtLeast } = costs;
  const since = Math.min(from, against?.from ?? from);
  const head = { v: 1, readFrom: 'events', since, from, to, isAtLeast } as const;
  const other = against && { against: { from: against.from, to: against.to, isAtLeast: against.isAtLeast } };
  const ranked = <T extends Row>(of: (range: RangeCosts) => Map<string, T>) =>
    rankedRows(of(costs), against && of(against), most);
  switch (by) {
    case 'lock': {
      const { rows, more } = ranked(locksOf);
      return { ...head, ...other, rows: { locks: rows }, more };
    }
    case 'client': {
      const { rows, more } = ranked(clientsOf);
      return { ...head, ...other, rows: { clients: rows }, more };
    }
    case 'hold': {
      const { rows, more } = ranked(holdsOf);
      return { ...head, ...other, rows: { holds: rows }, more };
    }
  }
}

const NO_PLACE: LockPlace = { source: '', db: 0, lock: '' };

function locksOf({ ranking, places }: RangeCosts) {
  const rows = [...ranking.locks].map(
    ([id, cost]) => [id, { ...(places.get(id) ?? NO_PLACE), ...figuresOf(cost) }] as const,
  );
  return new Map(rows);
}

function clientsOf({ ranking }: RangeCosts) {
  return new Map([...ranking.clients].map(([client, cost]) => [client, { client, ...figuresOf(cost) }]));
}

function holdsOf({ ranking, places }: RangeCosts) {
  const rows = [...ranking.holds.values()].map(({ lock, hold, micros, isAtLeast }) => {
    const { holder, fromSeq: seq, from, to, isOpenStart } = hold;
    const about = { holder, seq, from, to, causedMs: micros / 1000, isAtLeast: isOpenStart || isAtLeast === true };
    return [`${lock} ${holder} ${seq}`, { ...(places.get(lock) ?? NO_PLACE), ...about }] as const;
  });
  return new Map(rows);
}

function figuresOf({ waits, waited, caused, isAtLeast }: Cost) {
  return { waits, waitedMs: waited / 1000, causedMs: caused / 1000, isAtLeast: isAtLeast === true };
}

/**
 * Sorts rows by the time that others waited because of them or, with `other`, by how much that time changed. Equal rows
 * are sorted by their own waits.
 */
function rankedRows<T extends Row>(current: Map<string, T>, other: Map<string, T> | undefined, most: number) {
  const rows: (T & { before?: Figures; changeMs?: number })[] = [];
  for (const key of new Set([...current.keys(), ...(other?.keys() ?? [])])) {
    const [now, before] = [current.get(key), other?.get(key)];
    const row = now ?? (before && { ...before, ...noFigures(before) });
    if (!row) continue;
    if (!other) rows.push(row);
    else
      rows.push({
        ...row,
        before: figuresOnly(before ?? noFigures(row)),
        changeMs: row.causedMs - (before?.causedMs ?? 0),
      });
  }
  const change = ({ causedMs, changeMs = causedMs }: (typeof rows)[number]) => Math.abs(changeMs);
  const waited = ({ waitedMs = 0, before }: (typeof rows)[number]) => Math.abs(waitedMs - (before?.waitedMs ?? 0));
  rows.sort((a, b) => change(b) - change(a) || waited(b) - waited(a));
  return { rows: rows.slice(0, most), more: Math.max(0, rows.length - most) };
}

function figuresOnly({ causedMs, waits, waitedMs }: Figures): Figures {
  return waits === undefined || waitedMs === undefined ? { causedMs } : { causedMs, waits, waitedMs };
}

function noFigures({ waits }: Figures): Figures {
  return waits === undefined ? { causedMs: 0 } : { causedMs: 0, waits: 0, waitedMs: 0 };
}
