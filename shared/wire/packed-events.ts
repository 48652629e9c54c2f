import type { LockEvent } from '../events/event.ts';

/**
 * Events as the packed stream sends them. A word (any string value) or a shape (the fields of an event) is sent once. From
 * then on its number replaces it, until a `fresh` message starts the stream again.
 *
 *   words   ["orders:42", "uuid:62", …]                      numbered on from the message before
 *   shapes  [{ same: { type: "lock.acquired", … }, fields: [["lock", "word"], ["holder", "word"], …] }]
 *   rows    [[shape, µs since the event before, value, value, …], …]      a bare number n: n `seq`s are left out
 */
export type PackedEvents = {
  words: string[];
  shapes: PackedShape[];
  /** `seq` and `at` of the first event. */
  seq: number;
  at: number;
  rows: (PackedRow | number)[];
};

/** The fields that are the same in all events of a shape, and the other fields in the order of a row's values. */
export type PackedShape = { same: Record<string, unknown>; fields: [name: string, as: FieldKind][] };
export type PackedRow = [shape: number, atStep: number, ...values: unknown[]];

/**
 * How a row contains a value: `value` as it is, `word` as the number of a word, `time` in µs after the event, `seqs` as
 * distances to the event's own `seq`. A `lease-end` is not in the row: it is computed from `leaseMs`.
 */
export type FieldKind = 'value' | 'word' | 'time' | 'seqs' | 'lease-end';

/** Fields that are the same in all events of a shape. */
const SHAPED: ReadonlySet<string> = new Set(['source', 'db', 'kind', 'type', 'certainty']);

/** Packs the events of one stream, message after message. */
export class EventPacker {
  readonly #words = new Map<string, number>();
  readonly #shapes = new Map<string, number>();

  /** The number of words sent so far. */
  get size(): number {
    return this.#words.size;
  }

  pack(events: readonly LockEvent[]): PackedEvents {
    const first = events[0];
    const packed: PackedEvents = { words: [], shapes: [], seq: first?.seq ?? 0, at: first?.at ?? 0, rows: [] };
    let seq = packed.seq - 1;
    let at = packed.at;
    for (const event of events) {
      if (event.seq !== seq + 1) packed.rows.push(event.seq - seq - 1);
      packed.rows.push(this.#row(event, at, packed));
      seq = event.seq;
      at = event.at;
    }
    return packed;
  }

  #row(event: LockEvent, before: number, packed: PackedEvents): PackedRow {
    const fields: PackedShape['fields'] = [];
    const values: unknown[] = [];
    for (const [name, value] of Object.entries(event)) {
      if (name === 'seq' || name === 'at' || SHAPED.has(name) || value === undefined) continue;
      const kind = kindOf(name, value, event);
      fields.push([name, kind]);
      if (kind === 'word')
        values.push(this.#word(value as string, packed)); // a word is a string
      else if (kind === 'time') values.push((value as number) - event.at);
      else if (kind === 'seqs') values.push((value as number[]).map((seq) => event.seq - seq));
      else if (kind === 'value') values.push(value);
    }
    return [this.#shape(event, fields, packed), event.at - before, ...values];
  }

  #word(text: string, packed: PackedEvents): number {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const number = this.#words.size;
    this.#words.set(text, number);
    packed.words.push(text);
    return number;
  }

  #shape(event: LockEvent, fields: PackedShape['fields'], packed: PackedEvents): number {
    const { source, db, kind, type, certainty } = event;
    const same = { source, db, kind, type, certainty };
    const key = JSON.stringify([same, fields]);
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const number = this.#shapes.size;
    this.#shapes.set(key, number);
    packed.shapes.push({ same, fields });
    return number;
  }
}

function kindOf(name: string, value: unknown, event: LockEvent): FieldKind {
  if (typeof value === 'string') return 'word';
  if ((name === 'because' || name === 'groupSeqs') && Array.isArray(value)) return 'seqs';
  if (name !== 'expiresAt' || typeof value !== 'number') return 'value';
  const leaseMs = 'leaseMs' in event ? event.leaseMs : undefined;
  return typeof leaseMs === 'number' && value === leaseEnd(event.at, leaseMs) ? 'lease-end' : 'time';
}

function leaseEnd(at: number, leaseMs: number): number {
  return at + leaseMs * 1000;
}

/** Reads what one `EventPacker` packed, from its first message on. */
export class EventUnpacker {
  readonly #words: string[] = [];
  readonly #shapes: PackedShape[] = [];

  unpack(packed: PackedEvents): LockEvent[] {
    for (const word of packed.words) this.#words.push(word);
    for (const shape of packed.shapes) this.#shapes.push(shape);
    const events: LockEvent[] = [];
    let { seq, at } = packed;
    for (const row of packed.rows) {
      if (typeof row === 'number') {
        seq += row;
        continue;
      }
      at += row[1];
      events.push(this.#event(row, seq, at));
      seq++;
    }
    return events;
  }

  #event(row: PackedRow, seq: number, at: number): LockEvent {
    const shape = this.#shapes[row[0]];
    if (!shape) throw new Error(`a packed event has an unknown shape: ${row[0]}`);
    const event: Record<string, unknown> = { seq, at, ...shape.same };
    let place = 2;
    for (const [name, kind] of shape.fields) {
      // the packer wrote each kind from a value of its type
      if (kind === 'word') event[name] = this.#words[row[place++] as number];
      else if (kind === 'value') event[name] = row[place++];
      else if (kind === 'time') event[name] = at + (row[place++] as number);
      else if (kind === 'seqs') event[name] = (row[place++] as number[]).map((step) => seq - step);
    }
    if (shape.fields.some(([, kind]) => kind === 'lease-end')) event.expiresAt = leaseEnd(at, event.leaseMs as number);
    return event as unknown as LockEvent; // the packer made the row from an event
  }
}
