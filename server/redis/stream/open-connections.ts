import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { type Capabilities, capabilitiesOf } from '../probe.ts';
import { RawConnection } from './raw-connection.ts';

/** The connections of one feed. */
export type Connections = {
  readonly stream: RawConnection;
  /** The connection for reads: a second one at level `monitor`, else the stream itself. */
  readonly reader: RawConnection;
  readonly capabilities: Capabilities;
  /** Redis's ids of both. The stream's id is first. */
  readonly clientIds: readonly number[];
};

/** Connects and logs in (HELLO 3). Rejects with the reason, and leaves no connection open then. */
export async function openConnections(url: RedisUrl, level: ObserveLevel): Promise<Connections> {
  const stream = await RawConnection.open(url);
  let reader = stream;
  try {
    const hello = await stream.greet(url, 'lockscope');
    const capabilities = await capabilitiesOf(stream, hello, url);
    const clientIds = [Number(hello.get('id'))];
    if (level === 'monitor') {
      reader = await RawConnection.open(url);
      clientIds.push(Number((await reader.greet(url, 'lockscope')).get('id')));
    }
    return { stream, reader, capabilities, clientIds };
  } catch (error) {
    stream.close();
    reader.close();
    throw error;
  }
}
