import { type Millis, millisBetween, type RedisTime } from '../../base/time.ts';
import type { ClientRow } from '../../signals/signal.ts';
import { hostOf } from './clients/client.ts';
import type { Clients } from './clients/clients.ts';

/** The connections of a pool are opened at once, when the client starts. */
const OPENED_TOGETHER_SECONDS = 2;

/** The name of Lockscope's connections. */
const OF_LOCKSCOPE = /^lockscope(?:-|$)/;

/**
 * The open connections that may belong to a client of Redisson of which no script was seen. These may not:
 *
 *   a connection on which another client sent its scripts
 *   one of a Lockscope
 *   one with a library, since Redisson sends no library name, or one of a replica or another MONITOR
 *   one with the same host and connection name as another client's, opened together with it
 *   one without scripts of each other client on its host: each has a connection for messages
 */
export function unclaimedIn(rows: readonly ClientRow[], clients: Clients): ClientRow[] {
  const owned = new Map<string, { row: ClientRow; uuid: string }[]>();
  const open: ClientRow[] = [];
  for (const row of rows) {
    const uuid = clients.uuidAt(row.address);
    if (uuid === undefined) {
      if (row.library === '' && !row.isServer && !OF_LOCKSCOPE.test(row.name)) open.push(row);
      continue;
    }
    const group = owned.get(groupOf(row)) ?? [];
    group.push({ row, uuid });
    owned.set(groupOf(row), group);
  }
  const left = new Map<string, ClientRow[]>();
  const placed = new Set<string>();
  for (const row of open) {
    const group = groupOf(row);
    const beside = row.name === '' ? undefined : owned.get(group)?.find((each) => isOpenedWith(row, each.row));
    if (beside) placed.add(beside.uuid);
    else left.set(group, [...(left.get(group) ?? []), row]);
  }
  return [...left].flatMap(([group, unclaimed]) => {
    const others = new Set((owned.get(group) ?? []).map(({ uuid }) => uuid).filter((uuid) => !placed.has(uuid)));
    return unclaimed.length <= others.size ? [] : unclaimed;
  });
}

/** A living client of Redisson pings every 30 s on each connection: three pings are missing. */
const SILENT_SECONDS = 95;
/** It has at least two, one for commands and one for messages: for a single one, one missing ping is enough. */
const SILENT_ALONE_SECONDS = 35;

/** Whether each of these connections has been silent for too long to be a living client's. */
export function areSilent(rows: readonly ClientRow[]): boolean {
  const sizes = new Map<string, number>();
  for (const row of rows) sizes.set(groupOf(row), (sizes.get(groupOf(row)) ?? 0) + 1);
  return rows.every((row) => {
    const isAlone = sizes.get(groupOf(row)) === 1;
    return row.idleSeconds >= (isAlone ? SILENT_ALONE_SECONDS : SILENT_SECONDS);
  });
}

/** For how long none of these connections has sent anything. */
export function silentFor(rows: readonly ClientRow[]): Millis {
  return Math.min(...rows.map(({ idleSeconds }) => idleSeconds)) * 1000;
}

function groupOf({ address, name }: ClientRow): string {
  return `${hostOf(address)} ${name}`;
}

function isOpenedWith(a: ClientRow, b: ClientRow): boolean {
  return Math.abs(a.ageSeconds - b.ageSeconds) <= OPENED_TOGETHER_SECONDS;
}

/** Whether a state has lasted long enough that a client which reconnects would be back. */
export function hasLasted(since: RedisTime, now: RedisTime): boolean {
  return millisBetween(since, now) >= BACK_WITHIN;
}

const BACK_WITHIN: Millis = 10_000;
