import { clientBody, clientPath, clientQuery, clientsBody, clientsQuery } from '../../../shared/wire/clients.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { route } from '../answer/route.ts';
import type { ApiContext } from '../app-context.ts';
import { HttpProblem } from '../problems/problem.ts';
import { checkRemembered, instantAsked, instantInMemory, unseenPart } from './locks/past-instant.ts';

/** How many channels of one client are listed. */
const MOST_CHANNELS = 100;

/** Clients with their addresses, presence, holds and waits, now or as of an instant. */
export const clientsRoute = route({
  method: 'GET',
  path: '/clients',
  operation: 'listClients',
  tag: 'clients',
  summary: 'Lists the clients with their addresses, presence, holds and waits.',
  refusals: { 400: ['in-the-future'], 404: ['unknown-source'], 410: ['forgotten'] },
  query: clientsQuery,
  answer: clientsBody,
}).handledBy(({ observatory }: ApiContext, { query: { cursor: from = 0, ...query } }) => {
  const at = instantAsked(observatory, query);
  const to = from + query.limit;
  return {
    inTurn: async (signal) => {
      await checkRemembered(observatory, query, signal);
      const { clients, total } = await observatory.clientPage({ ...query, at, from }, signal);
      const next = to < total ? { nextCursor: String(to) } : {};
      const unseen = await unseenPart(observatory, at, signal);
      return { v: 1, at: at ?? observatory.now(query.source), clients, total, ...next, ...unseen };
    },
  };
});

export const clientRoute = route({
  method: 'GET',
  path: '/clients/:uuid',
  operation: 'getClient',
  tag: 'clients',
  summary: 'Shows one client with its renewals, its subscriptions and its clock.',
  refusals: { 400: ['in-the-future'], 404: ['unknown-client'], 409: ['ambiguous-client'], 410: ['forgotten'] },
  params: clientPath,
  query: clientQuery,
  answer: clientBody,
}).handledBy(({ observatory }: ApiContext, { params, query }) => {
  const at = query.at === undefined ? undefined : instantInMemory(query.at, observatory, query.source);
  const wanted = { source: query.source, client: params.uuid, at, from: 0, limit: 10 };
  return {
    inTurn: async (signal) => {
      const [client, ...others] = (await observatory.clientPage(wanted, signal)).clients;
      if (!client) throw unknownClient();
      if (others.length > 0) throw ambiguousClient([client, ...others].map(({ source }) => source));
      const to = at ?? observatory.now(client.source);
      const renewals = await observatory.rhythm({ source: client.source, client: client.client, to }, signal);
      const { subscriptions, clock } = await observatory.traits(
        { source: client.source, client: client.client, at },
        signal,
      );
      const { channels } = subscriptions;
      const more = channels.length > MOST_CHANNELS ? { more: channels.length - MOST_CHANNELS } : {};
      return {
        ...{ v: 1, at: to, ...client, renewals: { ...renewals, pauses: [...renewals.pauses] } },
        subscriptions: { ...subscriptions, channels: channels.slice(0, MOST_CHANNELS), ...more },
        clock,
        ...(await unseenPart(observatory, at, signal)),
      };
    },
  };
});

function unknownClient(): HttpProblem {
  return new HttpProblem(404, problem('unknown-client'), 'uuid');
}

function ambiguousClient(sources: readonly string[]): HttpProblem {
  const places = sources.map((source) => `?source=${encodeURIComponent(source)}`);
  return new HttpProblem(409, problem('ambiguous-client', { count: sources.length, places }), 'uuid');
}
