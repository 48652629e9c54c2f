import { z } from 'zod';

/**
 * A place in the stream of a source: a run of its observer, and a line of that run. The entry of the Redis stream has
 * the id `<run>-<seq>`.
 */
export type Place = { readonly run: number; readonly seq: number };

/** Why lines of a run are not on the bus. */
const GAP_REASONS = ['bus-gone', 'bus-full'] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** Lines `first` to `last` of a run, with the Redis times (µs) that they cover. */
type Range = {
  readonly run: number;
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
};

/** Lines of a run, gzip-compressed. `event`: the `seq` of the event after them. */
export type BlockEntry = Range & { readonly kind: 'block'; readonly event: number; readonly bytes: Buffer };

/** Lines that were dropped before the bus took them. The bus has the state after line `state` (`last` or later). */
export type GapEntry = Range & {
  readonly kind: 'gap';
  readonly event: number;
  readonly reason: GapReason;
  readonly state: number;
};

/** The whole state after a line, gzip-compressed. */
export type StateEntry = Place & { readonly at: number; readonly event: number; readonly bytes: Buffer };

export type StreamEntry = BlockEntry | GapEntry;

export function idOf({ run, seq }: Place): string {
  return `${run}-${seq}`;
}

/** The place of an entry of a Redis stream, from its id; `undefined`: the text is not an id. */
export function placeOf(id: string): Place | undefined {
  const [, run, seq] = /^(\d{1,16})-(\d{1,16})$/.exec(id) ?? [];
  return run === undefined || seq === undefined ? undefined : { run: Number(run), seq: Number(seq) };
}

export function isBefore(a: Place, b: Place): boolean {
  return a.run < b.run || (a.run === b.run && a.seq < b.seq);
}

/** The number of a run that begins now: its start in ms, or one more than the last run if that is greater. */
export function nextRun(nowMs: number, last: number | undefined): number {
  return Math.max(Math.floor(nowMs), (last ?? 0) + 1);
}

type Fields = (string | number | Buffer)[];

export function fieldsOfEntry(entry: StreamEntry): Fields {
  const { kind, first, from, to } = entry;
  const range = ['kind', kind, 'first', first, 'from', from, 'to', to, 'event', entry.event];
  if (entry.kind === 'block') return [...range, 'bytes', entry.bytes];
  return [...range, 'reason', entry.reason, 'state', entry.state];
}

export function fieldsOfState({ at, event, bytes }: StateEntry): Fields {
  return ['at', at, 'event', event, 'bytes', bytes];
}

const number = z.coerce.number().int().nonnegative();
const bytes = z.instanceof(Buffer);
const range = { first: number, from: number, to: number, event: number };
const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('block'), ...range, bytes }),
  z.object({ kind: z.literal('gap'), ...range, reason: z.enum(GAP_REASONS), state: number }),
]);
const stateSchema = z.object({ at: number, event: number, bytes });

/** One entry of a reply to XRANGE or XREAD. Its fields `bytes` and `pulse` are bytes, all other fields are text. */
export type RawEntry = { readonly place: Place; readonly fields: Readonly<Record<string, string | Buffer>> };

/** The block or the gap in an entry; `undefined` if it is neither, for example of a newer version. */
export function entryFrom({ place, fields }: RawEntry): StreamEntry | undefined {
  const parsed = entrySchema.safeParse(fields);
  return parsed.success ? { run: place.run, last: place.seq, ...parsed.data } : undefined;
}

export function stateFrom({ place, fields }: RawEntry): StateEntry | undefined {
  const parsed = stateSchema.safeParse(fields);
  return parsed.success ? { ...place, ...parsed.data } : undefined;
}

const rawEntries = z.array(z.tuple([bytes, z.array(bytes)]));

/** The entries of a reply to XRANGE, or of one stream in a reply to XREAD. */
export function rawEntriesFrom(reply: unknown): RawEntry[] {
  const parsed = rawEntries.safeParse(reply ?? []);
  if (!parsed.success) throw new Error('the bus sent something that is not a list of entries');
  return parsed.data.flatMap(([id, words]) => {
    const place = placeOf(id.toString());
    return place ? [{ place, fields: fieldsIn(words) }] : [];
  });
}

function fieldsIn(words: readonly Buffer[]): Record<string, string | Buffer> {
  const fields: Record<string, string | Buffer> = {};
  for (let n = 0; n + 1 < words.length; n += 2) {
    const [name, value] = [words[n]?.toString() ?? '', words[n + 1] ?? Buffer.alloc(0)];
    fields[name] = name === 'bytes' || name === 'pulse' ? value : value.toString();
  }
  return fields;
}

const rawStreams = z.array(z.tuple([bytes, z.unknown()]));

/** The entries of each stream in a reply to XREAD, by key. */
export function rawStreamsFrom(reply: unknown): Map<string, RawEntry[]> {
  const parsed = rawStreams.safeParse(reply ?? []);
  if (!parsed.success) throw new Error('the bus sent something that is not a list of streams');
  return new Map(parsed.data.map(([key, entries]) => [key.toString(), rawEntriesFrom(entries)]));
}
