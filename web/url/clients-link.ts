import { type Moment, type Origin, parseMoment, writeMoment } from './moment.ts';

/** What the page about clients shows: all of them, or one of a source. */
export type ClientsLink = Moment & {
  /** The id of the client; null: the list. */
  readonly client: string | null;
  /** The source of the client; null: it is searched in all sources. */
  readonly source: string | null;
};

const LINKABLE = /^[\w-]{1,100}$/;

/** True if the page of a client has a path. Ids of clients come from Redis and may contain anything. */
export function isLinkableClient(client: string): boolean {
  return LINKABLE.test(client);
}

/** Reads a link; undefined if the path belongs to another page, or the id of the client is not linkable. */
export function parseClientsLink(path: string, query: URLSearchParams, here: Origin) {
  const [, , client = null] = /^\/clients(\/(.*))?$/.exec(path) ?? ['', '', ''];
  if (client !== null && !isLinkableClient(client)) return undefined;
  const { moment, broken, elsewhere } = parseMoment(query, here);
  const link: ClientsLink = { client, source: client === null ? null : query.get('source'), ...moment };
  return { link, broken, elsewhere };
}

/** Writes the parameters of a link into `query`, and returns its path. */
export function writeClientsLink(link: ClientsLink, query: URLSearchParams, here: Origin): string {
  const { client, source } = link;
  if (client !== null && source !== null) query.set('source', source);
  writeMoment(link, query, here);
  return client === null ? '/clients' : `/clients/${client}`;
}
