import type { JudgedRun, Operation } from '../account.ts';
import { type Expected, near } from '../expected.ts';
import { messages, notesOf } from '../holds.ts';
import { withoutHolder } from '../leases.ts';
import { channelOf, nameOf } from '../names.ts';
import { sureOf } from '../refusals.ts';
import type { LockNotes, Tracker } from '../tracker.ts';

/** Scripts of group locks: one hash in which each value has its holder, its count and its end. */
export const GROUPS: Readonly<Record<string, Operation>> = {
  'group-lock': attempt,
  'group-try-once': attempt,
  'group-renew': renew,
  'group-unlock': unlock,
  'group-force-unlock': force,
};

const KIND = 'group-lock';
const HOLDER = /^[\w-]+:-?\d+$/;
const VALUE = /^[\w+/-]{22}(?:==)?$/;
const END = /^(.{22,24}):([\w-]+:-?\d+):expire_time$/;

/**
 * What a script was called for. The client's time and the lease are in milliseconds: the greater number is the time.
 */
type Call = { lock: string; notes: LockNotes; holder: string; now: number; leaseMs: number; values: string[] };

function callOf(run: JudgedRun): Call {
  const { keys, args, tracker } = run;
  const [lock = ''] = keys;
  const notes = notesOf(run, lock);
  notes.kind = KIND;
  tracker.groups.set(`${run.head.db}:${lock}`, { db: run.head.db, lock, notes });
  const holder = args.find((arg) => HOLDER.test(arg)) ?? '';
  tracker.noteRelease(holder, run);
  const numbers = args.filter((arg) => /^\d+$/.test(arg)).map(Number);
  const now = Math.max(...numbers);
  const isUnlock = run.script.operation === 'group-unlock';
  const leaseMs = isUnlock ? Number(args[2]) : Math.min(...numbers);
  return { lock, notes, holder, now, leaseMs, values: args.filter((arg) => VALUE.test(arg)) };
}

/** Notes the ends that the script set, by Redis's clock. Returns the values that have an end. */
function setEnds(run: JudgedRun, { notes, now }: Call): string[] {
  return run.lines.flatMap(({ words: [command = '', , field = '', end = ''], at }) => {
    const [, value, holder] = command.toLowerCase() === 'hset' ? (END.exec(field) ?? []) : [];
    if (value === undefined || holder === undefined) return [];
    notes.owners.set(value, { holder, end: at + (Number(end) - now) * 1000 });
    return [value];
  });
}

function heldBy(notes: LockNotes, holder: string): [string, number][] {
  return [...notes.owners].flatMap(([value, owner]) => (owner.holder === holder ? [[value, owner.end]] : []));
}

/** The values that a holder has after the script, with their counts in the hash. */
function valuesOf(
  run: JudgedRun,
  { lock, notes, holder }: Pick<Call, 'lock' | 'notes' | 'holder'>,
): Expected['fields'] {
  const content = run.after(lock)?.content;
  const counts = content?.type === 'hash' ? content.fields : new Map<string, string>();
  const held = heldBy(notes, holder).map(([value, end]) => {
    return { value, end, holdCount: Number(counts.get(`${value}:${holder}:lock_count`)) };
  });
  const isReported = (reported: unknown) =>
    Array.isArray(reported) &&
    reported.length === held.length &&
    held.every(({ value, end, holdCount }) =>
      reported.some((each) => each.value === value && each.holdCount === holdCount && near(end, 1)(each.expiresAt)),
    );
  const most = Math.max(0, ...held.map(({ holdCount }) => holdCount));
  return {
    values: isReported,
    ...(held.length > 0 || run.script.operation === 'group-unlock' ? { holdCount: most } : {}),
  };
}

function expiryOf(run: JudgedRun, lock: string): Expected['fields'] {
  const end = (run.after(lock) ?? run.before(lock))?.expiresAt;
  return end == null ? {} : { expiresAt: near(end, 1000) };
}

function attempt(run: JudgedRun): Expected[] {
  const call = callOf(run);
  const { lock, notes, holder, leaseMs, values } = call;
  if (!run.lines.some(({ words }) => nameOf(words) === 'hincrby')) return [refused(run, call)];
  const isNew = !values.every((value) => notes.owners.get(value)?.holder === holder);
  setEnds(run, call);
  for (const value of values) notes.lost.delete(`${value}:${holder}`);
  notes.ended.delete(holder);
  const fields = { holder, mode: 'exclusive', leaseMs, ...valuesOf(run, call), ...expiryOf(run, lock) };
  const version = isNew ? { clientVersion: run.tracker.versionOf(holder) } : {};
  const wait = { role: 'acquired', channel: channelOf(KIND, lock, holder) } as const;
  const type = isNew ? 'lock.acquired' : 'lock.reentered';
  const event = run.expect(lock, type, { ...fields, ...version }, { wait, kinds: [KIND] });
  if (isNew) notes.holds.set(holder, event);
  return [event];
}

/** The last line of a refused attempt reads the end of the value that another holder has. */
function refused(run: JudgedRun, { lock, notes, holder, values }: Call): Expected {
  const last = run.lines.at(-1);
  const [, value = '', heldBy = ''] = END.exec(last?.words[2] ?? '') ?? [];
  const end = notes.owners.get(value)?.end;
  const reported = end === undefined ? null : Math.max(0, Math.round((end - (last?.at ?? 0)) / 1000));
  const about = { wanted: values, taken: { value, heldBy } };
  const fields = {
    holder,
    mode: 'exclusive',
    ttlMs: reported === null ? null : near(reported, 1),
    reason: 'held',
    ...about,
  };
  const wait = { role: 'refused', channel: channelOf(KIND, lock, holder), reported } as const;
  const because = [...notes.holds.values()].slice(0, 1);
  return run.expect(lock, 'lock.refused', fields, { because, wait, kinds: [KIND] });
}

function unlock(run: JudgedRun): Expected[] {
  const call = callOf(run);
  const { lock, notes, holder, leaseMs, values } = call;
  if (!run.lines.some(({ words }) => nameOf(words) === 'hincrby')) {
    const reason = reasonFor(notes, holder, values);
    const sent = messages(run, lock, []);
    const isLatchOnly = run.lines.every(({ words }) => nameOf(words) === 'get');
    return isLatchOnly
      ? []
      : [run.expect(lock, 'unlock.refused', { holder, reason }, sureOf(run, lock, reason)), ...sent];
  }
  setEnds(run, call);
  for (const value of deleted(run)) notes.owners.delete(value);
  const isOver = heldBy(notes, holder).length === 0;
  const fields = { holder, mode: 'exclusive', ...valuesOf(run, call), ...expiryOf(run, lock) };
  const because = isOver ? [notes.holds.get(holder)].filter((event) => event !== undefined) : [];
  if (isOver) notes.holds.delete(holder);
  const event = isOver
    ? run.expect(lock, 'lock.released', fields, { because, wait: { role: 'quiet' } })
    : run.expect(lock, 'lock.partially-released', { ...fields, leaseMs });
  return [event, ...messages(run, lock, [event])];
}

/**
 * A renewal stops at the first value that its holder no longer has. Only a complete one asks for the TTL of the hash.
 */
function renew(run: JudgedRun): Expected[] {
  const call = callOf(run);
  const { lock, notes, holder, leaseMs, values } = call;
  if (holder === '') return withoutHolder(run, lock);
  const moved = setEnds(run, call);
  const isComplete = run.lines.some(({ words }) => nameOf(words) === 'pttl');
  const missing = run.lines.length === 1 ? (values[0] ?? '') : (run.lines.at(-1)?.words[2] ?? '');
  const reason = reasonFor(notes, holder, [missing]);
  const refusal = isComplete
    ? []
    : [run.expect(lock, 'renewal.refused', { holder, reason }, sureOf(run, lock, reason))];
  if (!isComplete && moved.length === 0) return refusal;
  const { values: held } = valuesOf(run, call);
  const fields = { holder, cause: 'watchdog', leaseMs, values: held, ...expiryOf(run, lock) };
  const clientVersion = run.tracker.versionOf(holder);
  return [...refusal, run.expect(lock, 'lease.renewed', { ...fields, clientVersion })];
}

function force(run: JudgedRun): Expected[] {
  const { lock, notes } = callOf(run);
  const gone = deleted(run);
  const holders = new Set(gone.flatMap((value) => notes.owners.get(value)?.holder ?? []));
  for (const value of gone) notes.owners.delete(value);
  const events = [...holders].map((holder) => {
    const { values } = valuesOf(run, { lock, notes, holder });
    end(notes, holder, 'gone');
    return run.expect(lock, 'lock.force-released', { holder, holders: [holder], values }, { wait: { role: 'loss' } });
  });
  return [...events, ...messages(run, lock, events.slice(-1))];
}

/** Values whose holder a script deleted. */
function deleted({ lines }: JudgedRun): string[] {
  return lines.flatMap(({ words }) => (nameOf(words) === 'hdel' && VALUE.test(words[2] ?? '') ? [words[2] ?? ''] : []));
}

function end(notes: LockNotes, holder: string, how: 'expired' | 'gone'): void {
  notes.ended.set(holder, how);
  if (heldBy(notes, holder).length === 0) notes.holds.delete(holder);
}

function reasonFor(notes: LockNotes, holder: string, asked: readonly string[]): string {
  const owners = asked.map((value) => notes.owners.get(value)?.holder);
  if (owners.every((owner) => owner === holder)) return 'error';
  const hasExpired = !notes.holds.has(holder) && notes.ended.get(holder) === 'expired';
  if (hasExpired || asked.some((value) => notes.lost.has(`${value}:${holder}`))) return 'expired';
  return owners.some((owner) => owner !== undefined) ? 'not-owner' : 'no-lock';
}

/** Values of group locks whose end has passed. Redis does not know these ends, and publishes nothing. */
export function valuesOver(at: number, tracker: Tracker): Expected[] {
  return [...tracker.groups.values()].flatMap(({ db, lock, notes }) => {
    const ended = [...notes.owners].filter(([, owner]) => owner.end <= at);
    const holders = [...new Set(ended.map(([, { holder }]) => holder))];
    return holders.map((holder): Expected => {
      const own = ended.filter(([, owner]) => owner.holder === holder);
      const last = Math.max(...own.map(([, owner]) => owner.end));
      for (const [value] of own) {
        notes.owners.delete(value);
        notes.lost.add(`${value}:${holder}`);
      }
      const because = [notes.holds.get(holder)].filter((event) => event !== undefined);
      end(notes, holder, 'expired');
      const left = heldBy(notes, holder).map(([value]) => value);
      const values = (reported: unknown) =>
        Array.isArray(reported) &&
        reported.length === left.length &&
        reported.every(({ value }) => left.includes(value));
      return {
        ...{ type: 'lease.expired', db, lock, kinds: [KIND], by: undefined, because, isUnheard: true },
        between: [last - 1000, last + 1000],
        certainty: ['inferred'],
        fields: { holder, mode: 'exclusive', expiresAt: near(last, 1000), values },
        wait: { role: 'loss' },
      };
    });
  });
}
