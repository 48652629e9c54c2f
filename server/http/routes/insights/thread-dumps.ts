import { redisTime } from '../../../../shared/base/time.ts';
import type { SeenClient } from '../../../../shared/dumps/suggest-client.ts';
import {
  addDumpQuery,
  changeDumpBody,
  dumpBody,
  dumpDetailBody,
  dumpDetailQuery,
  dumpPath,
  dumpsBody,
} from '../../../../shared/wire/dumps.ts';
import { problem } from '../../../../shared/wire/problems/problem.ts';
import type { DumpStore } from '../../../dumps/dump-store.ts';
import { personInDump } from '../../../dumps/people-in-dump.ts';
import type { Observatory } from '../../../watch/observatory.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { HttpProblem } from '../../problems/problem.ts';

/** How many clients are looked at, those with the most holds and waits first. */
const MOST_CLIENTS = 1000;
const MOST_PEOPLE = 500;

export const dumpsRoute = route({
  method: 'GET',
  path: '/thread-dumps',
  operation: 'listThreadDumps',
  tag: 'clients',
  summary: 'Lists the thread dumps that are kept.',
  refusals: { 404: ['nothing-here'] },
  answer: dumpsBody,
}).handledBy((context: ApiContext) => ({ body: listOf(storeOf(context)) }));

export const addDumpRoute = route({
  method: 'POST',
  path: '/thread-dumps',
  operation: 'addThreadDump',
  tag: 'clients',
  summary: 'Keeps a dump of the threads of a JVM in memory, and finds its client if its threads prove it.',
  refusals: {
    400: ['in-the-future'],
    404: ['nothing-here'],
    413: ['thread-dump-too-large'],
    422: ['not-a-thread-dump', 'thread-dump-too-many', 'thread-dump-too-much'],
    507: ['thread-dumps-full'],
  },
  query: addDumpQuery,
  uploadTypes: ['application/octet-stream', 'application/json', 'text/plain'],
  answer: dumpBody,
}).handledBy(async (context: ApiContext, { query: { name = null, ...known }, upload }) => {
  const { observatory } = context;
  const seen = { now: () => observatory.now(), clients: () => seenClients(observatory) };
  return { body: { v: 1, dump: await storeOf(context).add({ name, ...upload }, known, seen) } };
});

export const dumpRoute = route({
  method: 'GET',
  path: '/thread-dumps/:id',
  operation: 'getThreadDump',
  tag: 'clients',
  summary: 'Shows a dump with the threads of the holders and waiters of its client.',
  refusals: { 404: ['nothing-here', 'unknown-thread-dump'] },
  params: dumpPath,
  query: dumpDetailQuery,
  answer: dumpDetailBody,
}).handledBy((context: ApiContext, { params: { id }, query }) => {
  const found = storeOf(context).get(id);
  return {
    inTurn: async (signal) => {
      const holders = query.holders ?? (await peopleNow(context.observatory, found.entry.client, signal));
      const people = holders.slice(0, MOST_PEOPLE).map((holder) => personInDump(found, holder));
      return { v: 1, dump: found.entry, people };
    },
  };
});

/** Stores the facts that the user knows about a dump: its client, and when it was taken. */
export const changeDumpRoute = route({
  method: 'POST',
  path: '/thread-dumps/:id',
  operation: 'changeThreadDump',
  tag: 'clients',
  summary: 'Names the client of a dump, and the instant at which it was taken.',
  refusals: { 400: ['in-the-future'], 404: ['nothing-here', 'unknown-thread-dump'] },
  params: dumpPath,
  body: changeDumpBody,
  answer: dumpBody,
}).handledBy((context: ApiContext, { params: { id }, body }) => {
  return { body: { v: 1, dump: storeOf(context).change(id, body, context.observatory.now()) } };
});

export const deleteDumpRoute = route({
  method: 'DELETE',
  path: '/thread-dumps/:id',
  operation: 'deleteThreadDump',
  tag: 'clients',
  summary: 'Deletes a thread dump.',
  refusals: { 404: ['nothing-here', 'unknown-thread-dump'] },
  params: dumpPath,
  answer: dumpsBody,
}).handledBy((context: ApiContext, { params: { id } }) => {
  const store = storeOf(context);
  store.delete(id);
  return { body: listOf(store) };
});

function listOf(store: DumpStore) {
  return { v: 1 as const, dumps: store.list(), room: store.room() };
}

function storeOf({ dumps }: ApiContext): DumpStore {
  if (!dumps) throw new HttpProblem(404, problem('nothing-here'));
  return dumps;
}

/** Up to 1,000 clients with their waits. A client of several sources, for example of shards, is one client. */
async function seenClients(observatory: Observatory): Promise<readonly SeenClient[]> {
  const { clients } = await observatory.clientPage({ from: 0, limit: MOST_CLIENTS });
  const seen = new Map<string, SeenClient['waits']>();
  for (const { client, waits } of clients) {
    const own = waits.map(({ holder, since }) => ({ holder, since: since === null ? null : redisTime(since) }));
    seen.set(client, [...(seen.get(client) ?? []), ...own]);
  }
  return [...seen].map(([client, waits]) => ({ client, waits }));
}

/** The ids of the holders and waiters of a client now. */
async function peopleNow(observatory: Observatory, client: string | null, signal: AbortSignal): Promise<string[]> {
  if (client === null) return [];
  const { clients } = await observatory.clientPage({ client, from: 0, limit: MOST_CLIENTS }, signal);
  return [...new Set(clients.flatMap(({ holds, waits }) => [...holds, ...waits].map(({ holder }) => holder)))];
}
