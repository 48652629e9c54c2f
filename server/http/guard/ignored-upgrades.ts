import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

/** What makes a request an upgrade. `HTTP2-Settings` comes with an offer to speak HTTP/2. */
const OFFER = /^(?:upgrade|http2-settings)$/i;

/** Node 24 and later ask before they treat a request as an upgrade. */
type Asking = Server & { shouldUpgradeCallback?: (req: IncomingMessage) => boolean };

/**
 * If no listener takes an upgrade, passes it on as an ordinary request: a server may ignore the offer (RFC 9110, 7.8).
 * Java's HttpClient and `curl --http2` begin with an upgrade, and also send a body with it.
 *
 * Node 24 and later ask whether a request is an upgrade. An older Node reads nothing after its head once a server has a
 * listener for upgrades. So there the head is put back in front of what follows, without the offer, and Node reads the
 * connection again as a new connection.
 */
export class IgnoredUpgrades {
  readonly #server: Asking;
  readonly #asked: Asking['shouldUpgradeCallback'];
  readonly #own: Asking['shouldUpgradeCallback'];
  readonly #newest = new WeakMap<Duplex, ServerResponse>();
  /** The heads as they were sent, by connection. */
  readonly #passedOn = new WeakMap<Duplex, IncomingMessage>();
  readonly #onRequest = (req: IncomingMessage, res: ServerResponse) => {
    this.#newest.set(req.socket, res);
    const sent = this.#passedOn.get(req.socket);
    this.#passedOn.delete(req.socket);
    if (sent) Object.assign(req, { headers: sent.headers, rawHeaders: sent.rawHeaders });
  };

  /** `isIgnored`: whether no listener takes an upgrade. */
  constructor(server: Asking, isIgnored: (req: IncomingMessage) => boolean) {
    this.#server = server;
    const asked = server.shouldUpgradeCallback;
    this.#asked = asked;
    this.#own = asked && ((req) => !isIgnored(req) && asked.call(server, req));
    if (this.#own) server.shouldUpgradeCallback = this.#own;
    server.prependListener('request', this.#onRequest);
  }

  /** Passes the request on, to be answered as any other, once the answers before it on its connection are sent. */
  passOn(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const before = this.#newest.get(socket);
    if (!before || before.closed) return this.#passOn(req, socket, head);
    const onError = () => socket.destroy();
    socket.on('error', onError);
    before.once('close', () => {
      socket.off('error', onError);
      this.#passOn(req, socket, head);
    });
  }

  stop(): void {
    this.#server.off('request', this.#onRequest);
    // If another callback was set meanwhile, that callback stays.
    if (this.#asked && this.#server.shouldUpgradeCallback === this.#own)
      this.#server.shouldUpgradeCallback = this.#asked;
  }

  #passOn(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (socket.destroyed) return;
    req.socket.setTimeout(0); // removes the timeout of a connection that waits for its next request
    this.#passedOn.set(socket, req);
    socket.unshift(Buffer.concat([headWithoutOffer(req), head]));
    this.#server.emit(this.#server instanceof TlsServer ? 'secureConnection' : 'connection', socket);
  }
}

function headWithoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const [name = '', value = ''] = rawHeaders.slice(n, n + 2);
    if (OFFER.test(name)) continue;
    lines.push(`${name}: ${/^connection$/i.test(name) ? optionsWithoutOffer(value) : value}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function optionsWithoutOffer(value: string): string {
  const options = value.split(',').map((option) => option.trim());
  return options.filter((option) => !OFFER.test(option)).join(', ');
}
