import { type Millis, millisBetween, type RedisTime } from '../../base/time.ts';
import type { ClientRow } from '../../signals/signal.ts';
import { hostOf } from './clients/client.ts';
import type { Clients } from './clients/clients.ts';

/** The connections of a pool are opened at once, when the client starts. */
const OPENED_TOGETHER_SECONDS = 2;

/** The name of Lockscope's connections. */
const LOCKSCOPE_NAME = /^lockscope(?:-|$)/;

/**
 * The open connections that may belong to a Redisson client whose scripts were not seen. These may not:
 *
 * - a connection on which another client sent its scripts
 * - a connection of a Lockscope
 * - a connection with a library, since Redisson sends no library name, or one of a replica or another MONITOR
 * - a named connection with the host and name of a known client's connection, and opened together with it, if several
 *   clients are known and each has a separate host and name
 * - a single connection with the host and name of a known client that got none by the rule before: it is that client's
 *   own one for messages, since an unseen client has at least two
 */
export function unclaimedIn(rows: readonly ClientRow[], clients: Clients): ClientRow[] {
  const owned = new Map<string, { row: ClientRow; uuid: string }[]>();
  const open: ClientRow[] = [];
  for (const row of rows) {
    const uuid = clients.uuidAt(row.address);
    if (uuid === undefined) {
      if (row.library === '' && !row.isServer && !LOCKSCOPE_NAME.test(row.name)) open.push(row);
      continue;
    }
    const group = owned.get(groupOf(row)) ?? [];
    group.push({ row, uuid });
    owned.set(groupOf(row), group);
  }
  const unplaced = new Map<string, ClientRow[]>();
  const placed = new Set<string>();
  const isApart = areApart([...owned.values()]);
  for (const row of open) {
    const group = groupOf(row);
    const isNamed = isApart && row.name !== '';
    const openedWith = isNamed ? owned.get(group)?.find((each) => isOpenedWith(row, each.row)) : undefined;
    if (openedWith) placed.add(openedWith.uuid);
    else unplaced.set(group, [...(unplaced.get(group) ?? []), row]);
  }
  return [...unplaced].flatMap(([group, unclaimed]) => {
    const isBeside = owned.get(group)?.some(({ uuid }) => !placed.has(uuid)) === true;
    return isBeside && unclaimed.length === 1 ? [] : unclaimed;
  });
}

/**
 * Whether several clients are known, each with a separate host and name. Behind one address, for example of a proxy or
 * a node with containers, all clients of a service have the same host and name. They also connect together when they or
 * Redis start.
 */
function areApart(groups: readonly (readonly { readonly uuid: string }[])[]): boolean {
  const clientsOf = (rows: readonly { readonly uuid: string }[]) => new Set(rows.map(({ uuid }) => uuid)).size;
  return clientsOf(groups.flat()) > 1 && groups.every((group) => clientsOf(group) === 1);
}

/** A living client of Redisson pings every 30 s on each connection: after this time, three pings are missing. */
const SILENT_SECONDS = 95;
/**
 * A client has at least two connections, one for commands and one for messages. If only one is left, one missing ping
 * is enough to call it silent.
 */
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

/** For how long all of these connections have sent nothing. */
export function silentFor(rows: readonly ClientRow[]): Millis {
  return Math.min(...rows.map(({ idleSeconds }) => idleSeconds)) * 1000;
}

function groupOf({ address, name }: ClientRow): string {
  return `${hostOf(address)} ${name}`;
}

function isOpenedWith(a: ClientRow, b: ClientRow): boolean {
  return Math.abs(a.ageSeconds - b.ageSeconds) <= OPENED_TOGETHER_SECONDS;
}

/** Whether a state has lasted for 10 s, so that a client which reconnects would be back. */
export function hasLasted(since: RedisTime, now: RedisTime): boolean {
  return millisBetween(since, now) >= BACK_WITHIN;
}

const BACK_WITHIN: Millis = 10_000;
