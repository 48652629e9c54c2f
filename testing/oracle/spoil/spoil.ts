import type { LockEvent } from '../../../shared/events/event.ts';

/** An event as a record of fields, so that any of them can be made wrong. */
export type EventFields = Pick<LockEvent, 'seq' | 'at' | 'lock'> & { readonly because?: readonly number[] } & Readonly<
    Record<string, unknown>
  >;

/**
 * Adds one kind of mistake to a stream of events. Returns `undefined` if no event of the stream can have this mistake.
 */
export type Spoiling = (events: readonly EventFields[]) => EventFields[] | undefined;

/**
 * The events that can have the mistake: those of these types (`permits.*` for a whole group), and with these
 * properties.
 */
type Choice = { readonly type?: string; readonly when?: (event: EventFields) => boolean };

/** The id of a client that no trace has. */
export const ANOTHER = 'ffffffff-0000-4000-8000-000000000000';

export const has = (field: string) => (event: EventFields) => event[field] !== undefined;

/** The field with a number that is greater by `by`. */
export const later = (field: string, by: number) => (event: EventFields) => ({ [field]: Number(event[field]) + by });

/** Removes these fields. */
export const gone =
  (...fields: string[]) =>
  () =>
    Object.fromEntries(fields.map((field) => [field, undefined]));

/** Changes fields of one event. A field set to `undefined` is removed. */
export function change(choice: Choice, wrong: (event: EventFields) => Readonly<Record<string, unknown>>): Spoiling {
  return (events) => {
    const n = placeOf(events, choice);
    const event = events[n];
    return event && events.with(n, without({ ...event, ...wrong(event) }));
  };
}

/** Leaves one event out. */
export function omit(choice: Choice): Spoiling {
  return (events) => {
    const n = placeOf(events, choice);
    return n === -1 ? undefined : numbered(events.filter((_, at) => at !== n));
  };
}

/** Reports one event twice. */
export function repeat(choice: Choice): Spoiling {
  return insert(choice, (event) => event);
}

/** Reports a further event directly after one event. */
export function insert(choice: Choice, make: (event: EventFields) => Readonly<Record<string, unknown>>): Spoiling {
  return (events) => {
    const n = placeOf(events, choice);
    const event = events[n];
    return event && numbered(events.toSpliced(n + 1, 0, without({ ...event, ...make(event), seq: -1 })));
  };
}

/** Swaps one event with the next, if both are about the same lock. */
export function swap(choice: Choice): Spoiling {
  return (events) => {
    const n = placeOf(events, { ...choice, isBeforeOther: true });
    const [event, next] = [events[n], events[n + 1]];
    return event && next && numbered(events.with(n, next).with(n + 1, event));
  };
}

/** The index of the middle one of all events that can be spoiled; -1 if no event can. */
function placeOf(
  events: readonly EventFields[],
  { type, when, isBeforeOther }: Choice & { isBeforeOther?: boolean },
): number {
  const group = type?.endsWith('*') ? type.slice(0, -1) : undefined;
  const places: number[] = [];
  for (const [n, event] of events.entries()) {
    if (group !== undefined ? !String(event.type).startsWith(group) : type !== undefined && event.type !== type)
      continue;
    if (when && !when(event)) continue;
    if (isBeforeOther && events[n + 1]?.lock !== event.lock) continue;
    places.push(n);
  }
  return places[Math.floor(places.length / 2)] ?? -1;
}

/** Numbers the events from 1 on, as a stream does, and moves `because` along. */
function numbered(events: readonly EventFields[]): EventFields[] {
  const seqs = new Map(events.map(({ seq }, n) => [seq, n + 1]));
  return events.map((event, n) => {
    const because = event.because?.map((seq) => seqs.get(seq)).filter((seq) => seq !== undefined);
    return { ...event, seq: n + 1, ...(because && because.length > 0 ? { because } : {}) };
  });
}

function without(event: EventFields): EventFields {
  const fields = Object.entries(event).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields) as EventFields; // only fields that may be absent are removed
}
