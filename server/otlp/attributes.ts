import type { Source } from '../../shared/wire/source.ts';
import { leadMs } from '../../shared/wire/watched.ts';

/** Values with more characters than this are cut. */
const LONGEST = 1000;

/** What a source adds to its spans and log records. */
export type SourceFacts = { readonly attributes: Readonly<Record<string, string | number>> };

/** The facts of a source. `db.…` and `server.…` are names of the semantic conventions, `lock.…` are our own. */
export function factsOf({
  id,
  node,
  url,
  ...clock
}: Pick<Source, 'id' | 'node' | 'url' | 'clockOffsetMs' | 'clockBehindMs'>): SourceFacts {
  return {
    attributes: {
      'db.system.name': 'redis',
      ...addressParts('server', node ?? hostOf(url)),
      'lock.source': id,
      'lock.clock_offset_ms': leadMs(clock),
    },
  };
}

/**
 * For example `client.address` and `client.port` of `10.1.2.3:44856`. Any other text, for example a Unix socket, is the
 * address as a whole.
 */
export function addressParts(side: 'client' | 'server', address: string | undefined): Record<string, string | number> {
  if (address === undefined || address === '') return {};
  const [, host, port] = /^(?:\[(.*)\]|(.*)):(\d{1,5})$/.exec(address)?.filter((part) => part !== undefined) ?? [];
  if (host === undefined || port === undefined) return { [`${side}.address`]: cut(address) };
  return { [`${side}.address`]: cut(host), [`${side}.port`]: Number(port) };
}

/** The text, without its end if it is very long. */
export function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/**
 * The address in a URL that is shown: without a scheme, login and database. The path of a Unix socket is its address.
 */
function hostOf(url: string): string | undefined {
  if (url.startsWith('unix://')) return url.slice('unix://'.length).replace(/\?.*$/, '');
  return /^rediss?:\/\/([^/?]+)/.exec(url)?.[1];
}
