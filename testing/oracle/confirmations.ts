import type { CommandStep, Step } from '../../shared/signals/step.ts';
import { scriptCallFromHead } from '../../shared/signals/step.ts';
import { nameOf } from './names.ts';

const LATCH = 'redisson_unlock_latch:';
const HOLDER = /^([0-9a-f]{8}-[0-9a-f-]{27}):\d+/;
const MS = 1000;

/** What a report of a wait for replicas must have. */
export type Awaited = Readonly<Record<string, unknown>> & {
  readonly at: number;
  readonly lock: string;
  readonly holder: string;
};

/** Returns which clients waited for replicas after their scripts, and for how long, from the lines alone. */
export function awaitedIn(steps: readonly Step[]): Awaited[] {
  const commands = steps.filter((step): step is CommandStep => step.kind === 'command');
  const awaited = commands.flatMap((_, n) => awaitedFrom(commands, n) ?? []).sort((a, b) => a.at - b.at);
  return awaited.map((each, n) => {
    const own = awaited.slice(0, n + 1).filter(({ holder }) => uuidOf(holder) === uuidOf(each.holder));
    const first = own.findLastIndex(({ at }, place) => at - (own[place - 1]?.at ?? 0) > 30_000 * MS);
    return { ...each, began: own[first]?.at, times: own.length - first };
  });
}

/** Compares reports of waits for replicas with the account. */
export class Confirmations {
  readonly #missing: Awaited[];

  constructor(awaited: readonly Awaited[]) {
    this.#missing = [...awaited];
  }

  /** What is wrong with a report of a wait for replicas. */
  problemsOf(reported: Readonly<Record<string, unknown>>): string[] {
    const found = this.#missing.findIndex((right) =>
      Object.entries(right).every(([field, value]) => reported[field] === value),
    );
    if (found === -1) return ['no client waited for replicas like this'];
    this.#missing.splice(found, 1);
    return [];
  }

  /** The waits for replicas that are not reported. */
  missing(until: number): string[] {
    return this.#missing.flatMap(({ at, lock }) => (at <= until ? [`a wait for replicas of ${lock} at ${at}`] : []));
  }
}

/** The WAIT that the n-th command began, if it took long. */
function awaitedFrom(commands: readonly CommandStep[], n: number): Awaited | undefined {
  const { words, at, client } = (commands[n] as CommandStep).head; // n is an index of the list
  const command = nameOf(words).toUpperCase();
  const [replicas, limitMs] = words.slice(command === 'WAIT' ? 1 : 2).map(Number);
  if (!/^WAIT(AOF)?$/.test(command) || !replicas || limitMs === undefined || client === null) return undefined;
  const script = commands.slice(0, n).findLast(({ head }) => head.client === client);
  const holder = script?.head.words.find((word) => HOLDER.test(word))?.replace(/:write$/, '');
  if (!script || holder === undefined || at - script.head.at > 100 * MS) return undefined;
  const keys = scriptCallFromHead(script.head)?.keys ?? [];
  const latch = keys.find((key) => key.startsWith(LATCH));
  const uuid = uuidOf(holder);
  for (const { head, inner } of commands.slice(n + 1)) {
    const ms = (head.at - at) / MS;
    const report = (shownBy: string): Awaited => ({
      ...{ type: 'replicas.awaited', at: head.at, lock: keys[0] ?? '', holder, command, replicas, limitMs, shownBy },
      ...{ tookMs: Math.round(ms), by: client },
    });
    if (inner.length === 0 && nameOf(head.words) === 'del' && isLatchOf(head.words[1], latch, uuid)) {
      return ms < 100 ? undefined : report('answered');
    }
    const isEnded = limitMs > 0 && ms >= limitMs && ms <= limitMs * 1.5 + 100;
    const isAgain = latch !== undefined && head.words.includes(latch);
    const isAsking = isInfo(head.words, commands.slice(0, n), uuid) && uuidAt(commands, head.client, head.at) === uuid;
    if (isEnded && (isAgain || isAsking)) return report('limit');
    if (head.client === client && /^wait(aof)?$/.test(nameOf(head.words))) return undefined;
  }
  return undefined;
}

function uuidOf(holder: string): string {
  return holder.split(':')[0] ?? '';
}

/** Clients of releases 3.52.0 to 4.2.0 delete a latch whose name ends with their own uuid. */
function isLatchOf(key: string | undefined, latch: string | undefined, uuid: string): boolean {
  if (latch === undefined) return false;
  return key === latch || key === latch.slice(0, latch.lastIndexOf(':') + 1) + uuid;
}

/**
 * Whether INFO shows that a WAIT has ended: INFO ALL does; INFO REPLICATION only if the client does not send it before
 * each script.
 */
function isInfo(words: readonly string[], before: readonly CommandStep[], uuid: string): boolean {
  const section = nameOf(words) === 'info' ? words[1]?.toLowerCase() : undefined;
  return section === 'all' || (section === 'replication' && before.some((_, n) => isUnasked(before, n, uuid)));
}

/**
 * Whether command `n` is a script of the client that is followed by a WAIT, without an INFO within the 3 s before it.
 * The first 3 s after the first such script do not count.
 */
function isUnasked(commands: readonly CommandStep[], n: number, uuid: string): boolean {
  const { head } = commands[n] as CommandStep; // n is an index of the list
  if (!head.words.some((word) => HOLDER.exec(word)?.[1] === uuid) || !isWaitedFor(commands, n)) return false;
  const first = commands.find((_, place) => isWaitedFor(commands, place))?.head.at ?? head.at;
  const asked = commands.slice(0, n).findLast((each) => /^info replication$/i.test(each.head.words.join(' ')));
  return head.at - Math.max(first, asked?.head.at ?? 0) > 3000 * MS;
}

/** Whether command `n` is a script of a holder, and the next command of its connection waits for replicas. */
function isWaitedFor(commands: readonly CommandStep[], n: number): boolean {
  const { head } = commands[n] as CommandStep; // n is an index of the list
  if (!head.words.some((word) => HOLDER.test(word))) return false;
  const next = commands.slice(n + 1).find((each) => each.head.client === head.client)?.head.words ?? [];
  const name = nameOf(next);
  return /^wait(aof)?$/.test(name) && Number(next.at(name === 'wait' ? 1 : 2)) > 0;
}

/** The client that used a connection before this instant. */
function uuidAt(commands: readonly CommandStep[], address: string | null, at: number): string | undefined {
  const own = commands.findLast(
    ({ head }) => head.client === address && head.at < at && head.words.some((word) => HOLDER.test(word)),
  );
  return own?.head.words.map((word) => HOLDER.exec(word)?.[1]).find((uuid) => uuid !== undefined);
}
