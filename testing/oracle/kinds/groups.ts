import type { Operation, Scene } from '../account.ts';
import { type Expected, near } from '../expected.ts';
import { messages, notesOf } from '../holds.ts';
import { withoutHolder } from '../leases.ts';
import { channelOf, nameOf } from '../names.ts';
import { sureOf } from '../refusals.ts';
import type { LockNotes, Tracker } from '../tracker.ts';

/** Scripts of group locks: one hash in which each value f has a holder h, a count and an end of its own. */
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

/** What a script was called for. The client's time and the lease are in milliseconds: the greater number is the time. */
type Call = { lock: string; notes: LockNotes; holder: string; now: number; leaseMs: number; values: string[] };

function callOf(scene: Scene): Call {
  const { keys, args, tracker } = scene;
  const [lock = ''] = keys;
  const notes = notesOf(scene, lock);
  notes.kind = KIND;
  tracker.groups.set(`${scene.head.db}:${lock}`, { db: scene.head.db, lock, notes });
  const holder = args.find((arg) => HOLDER.test(arg)) ?? '';
  tracker.date(holder, scene);
  const numbers = args.filter((arg) => /^\d+$/.test(arg)).map(Number);
  const now = Math.max(...numbers);
  const isUnlock = scene.script.operation === 'group-unlock';
  const leaseMs = isUnlock ? Number(args[2]) : Math.min(...numbers);
  return { lock, notes, holder, now, leaseMs, values: args.filter((arg) => VALUE.test(arg)) };
}

/** Notes the ends that the script set, by Redis's clock. Returns the values that have one. */
function setEnds(scene: Scene, { notes, now }: Call): string[] {
  return scene.lines.flatMap(({ words: [command = '', , field = '', end = ''], at }) => {
    const [, value, holder] = command.toLowerCase() === 'hset' ? (END.exec(field) ?? []) : [];
    if (value === undefined || holder === undefined) return [];
    notes.owners.set(value, { holder, end: at + (Number(end) - now) * 1000 });
    return [value];
  });
}

function heldBy(notes: LockNotes, holder: string): [string, number][] {
  return [...notes.owners].flatMap(([value, owner]) => (owner.holder === holder ? [[value, owner.end]] : []));
}

/** The values that a holder has afterwards, with their counts in the hash. */
function valuesOf(scene: Scene, { lock, notes, holder }: Pick<Call, 'lock' | 'notes' | 'holder'>): Expected['fields'] {
  const content = scene.after(lock)?.content;
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
    ...(held.length > 0 || scene.script.operation === 'group-unlock' ? { holdCount: most } : {}),
  };
}

function expiryOf(scene: Scene, lock: string): Expected['fields'] {
  const end = (scene.after(lock) ?? scene.before(lock))?.expiresAt;
  return end == null ? {} : { expiresAt: near(end, 1000) };
}

function attempt(scene: Scene): Expected[] {
  const call = callOf(scene);
  const { lock, notes, holder, leaseMs, values } = call;
  if (!scene.lines.some(({ words }) => nameOf(words) === 'hincrby')) return [refused(scene, call)];
  const isNew = !values.every((value) => notes.owners.get(value)?.holder === holder);
  setEnds(scene, call);
  for (const value of values) notes.lost.delete(`${value}:${holder}`);
  notes.ended.delete(holder);
  const fields = { holder, mode: 'exclusive', leaseMs, ...valuesOf(scene, call), ...expiryOf(scene, lock) };
  const version = isNew ? { clientVersion: scene.tracker.versionOf(holder) } : {};
  const wait = { role: 'acquired', channel: channelOf(KIND, lock, holder) } as const;
  const type = isNew ? 'lock.acquired' : 'lock.reentered';
  const event = scene.expect(lock, type, { ...fields, ...version }, { wait, kinds: [KIND] });
  if (isNew) notes.holds.set(holder, event);
  return [event];
}

/** The last line of a refused attempt reads the end of the value that another holder has. */
function refused(scene: Scene, { lock, notes, holder, values }: Call): Expected {
  const last = scene.lines.at(-1);
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
  return scene.expect(lock, 'lock.refused', fields, { because, wait, kinds: [KIND] });
}

function unlock(scene: Scene): Expected[] {
  const call = callOf(scene);
  const { lock, notes, holder, leaseMs, values } = call;
  if (!scene.lines.some(({ words }) => nameOf(words) === 'hincrby')) {
    const reason = reasonFor(notes, holder, values);
    const sent = messages(scene, lock, []);
    const isLatchOnly = scene.lines.every(({ words }) => nameOf(words) === 'get');
    return isLatchOnly
      ? []
      : [scene.expect(lock, 'unlock.refused', { holder, reason }, sureOf(scene, lock, reason)), ...sent];
  }
  setEnds(scene, call);
  for (const value of deleted(scene)) notes.owners.delete(value);
  const isOver = heldBy(notes, holder).length === 0;
  const fields = { holder, mode: 'exclusive', ...valuesOf(scene, call), ...expiryOf(scene, lock) };
  const because = isOver ? [notes.holds.get(holder)].filter((event) => event !== undefined) : [];
  if (isOver) notes.holds.delete(holder);
  const event = isOver
    ? scene.expect(lock, 'lock.released', fields, { because, wait: { role: 'quiet' } })
    : scene.expect(lock, 'lock.partially-released', { ...fields, leaseMs });
  return [event, ...messages(scene, lock, [event])];
}

/** A renewal stops at the first value that its holder no longer has. Only a complete one asks for the TTL of the hash. */
function renew(scene: Scene): Expected[] {
  const call = callOf(scene);
  const { lock, notes, holder, leaseMs, values } = call;
  if (holder === '') return withoutHolder(scene, lock);
  const moved = setEnds(scene, call);
  const isComplete = scene.lines.some(({ words }) => nameOf(words) === 'pttl');
  const missing = scene.lines.length === 1 ? (values[0] ?? '') : (scene.lines.at(-1)?.words[2] ?? '');
  const reason = reasonFor(notes, holder, [missing]);
  const refusal = isComplete
    ? []
    : [scene.expect(lock, 'renewal.refused', { holder, reason }, sureOf(scene, lock, reason))];
  if (!isComplete && moved.length === 0) return refusal;
  const { values: held } = valuesOf(scene, call);
  const fields = { holder, cause: 'watchdog', leaseMs, values: held, ...expiryOf(scene, lock) };
  const clientVersion = scene.tracker.versionOf(holder);
  return [...refusal, scene.expect(lock, 'lease.renewed', { ...fields, clientVersion })];
}

function force(scene: Scene): Expected[] {
  const { lock, notes } = callOf(scene);
  const gone = deleted(scene);
  const holders = new Set(gone.flatMap((value) => notes.owners.get(value)?.holder ?? []));
  for (const value of gone) notes.owners.delete(value);
  const events = [...holders].map((holder) => {
    const { values } = valuesOf(scene, { lock, notes, holder });
    end(notes, holder, 'gone');
    return scene.expect(lock, 'lock.force-released', { holder, holders: [holder], values }, { wait: { role: 'loss' } });
  });
  return [...events, ...messages(scene, lock, events.slice(-1))];
}

/** Values whose holder a script deleted. */
function deleted({ lines }: Scene): string[] {
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

/** Values of group locks whose end is over: Redis does not know it, and publishes nothing. */
export function valuesOver(at: number, tracker: Tracker): Expected[] {
  return [...tracker.groups.values()].flatMap(({ db, lock, notes }) => {
    const over = [...notes.owners].filter(([, owner]) => owner.end <= at);
    const holders = [...new Set(over.map(([, { holder }]) => holder))];
    return holders.map((holder): Expected => {
      const own = over.filter(([, owner]) => owner.holder === holder);
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
