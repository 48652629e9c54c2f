import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * Posts `body` on a connection of its own. A connection that was kept open may be closed by the server just as it is used
 * again, and a POST must not be repeated.
 */
export async function postJson(url: string, headers: Record<string, string>, body: object) {
  const text = JSON.stringify(body);
  const asked = request(url, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
  });
  asked.end(text);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await json(response) };
}
