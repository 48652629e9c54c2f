import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * Asks on a connection of its own: one that was kept open may be closed by the server just as it is used again. With a
 * `body`, it is a POST.
 */
export async function askOnOwnConnection(url: string, headers: Record<string, string>, body?: object) {
  const type = body && { 'content-type': 'application/json' };
  const asked = request(url, { agent: false, method: body ? 'POST' : 'GET', headers: { ...headers, ...type } });
  asked.end(body && JSON.stringify(body));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await json(response) };
}
