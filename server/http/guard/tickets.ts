import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { cookieIn, type SetCookie } from './cookies.ts';
import { isSameText } from './same-text.ts';

/**
 * A page of a person who has passed the login of the application: its id, and until when (epoch ms) the login counts.
 */
export type Ticket = { readonly id: string; readonly endsAt: number };

/** A ticket ends this long after it was made. Requests of its page renew the ticket. */
export const TICKET_MS = 180_000;
/** The cookie is set again once it is as old as this. */
const RENEWED_AFTER_MS = 30_000;
/** The clocks of two copies of an application may differ by this much. */
const CLOCKS_APART_MS = 60_000;
const TICKET = /^([\w-]{22})\.(\d{1,15})\.([\w-]{43})$/;

type TicketOptions = {
  /** Copies of one application share it, so that each accepts the tickets of the others. Absent: random. */
  readonly secret?: string | undefined;
  /** The base path: two Lockscopes of one application do not accept each other's tickets. */
  readonly place?: string | undefined;
  /** The clock, in epoch ms. */
  readonly now?: () => number;
};

/**
 * Signed cookies that prove that a page has passed the login of the application, at most three minutes ago. Nothing is
 * kept for them: there may be any number.
 *
 *   id . end . signature
 */
export class Tickets {
  readonly now: () => number;
  readonly #key: Buffer;
  readonly #name: string;
  /** By how much the clock that set the end of a ticket may differ from ours. */
  readonly #apartMs: number;
  /** Tickets that were made or renewed for a request, by the headers of that request. */
  readonly #made = new WeakMap<IncomingHttpHeaders, Ticket>();

  constructor({ secret, place = '', now = Date.now }: TicketOptions = {}) {
    this.now = now;
    this.#apartMs = secret === undefined ? 0 : CLOCKS_APART_MS;
    this.#key = hashOf(secret ?? randomBytes(32), `ticket ${place}`);
    // No other Lockscope on this host, at any port, sets a cookie with this name, except copies with the same secret.
    this.#name = `lockscope-${hashOf(this.#key, 'name').toString('hex').slice(0, 8)}`;
  }

  /** The ticket of a request, if it is signed by us or a copy of us, and has not ended. */
  of(headers: IncomingHttpHeaders): Ticket | undefined {
    const made = this.#made.get(headers);
    if (made) return made;
    const brought = [true, false].map((isSecure) => this.#read(cookieIn(headers, this.nameFor(isSecure))));
    return brought.find((ticket) => ticket !== undefined);
  }

  /**
   * Renews the ticket of a request that passed the login. `cookie`: the cookie that the answer sets, if the request has
   * none, or one that is older than 30 s.
   */
  renew(headers: IncomingHttpHeaders, isSecure: boolean): { ticket: Ticket; cookie?: SetCookie } {
    const made = this.#made.get(headers);
    if (made) return { ticket: made };
    const before = this.#read(cookieIn(headers, this.nameFor(isSecure)));
    const id = before?.id ?? randomBytes(16).toString('base64url');
    const ticket = { id, endsAt: this.now() + TICKET_MS };
    if (before && before.endsAt > ticket.endsAt - RENEWED_AFTER_MS) return { ticket };
    this.#made.set(headers, ticket);
    return { ticket, cookie: this.#cookieOf(ticket, isSecure) };
  }

  #cookieOf({ id, endsAt }: Ticket, isSecure: boolean): SetCookie {
    const value = `${id}.${endsAt}.${this.#signature(id, endsAt)}`;
    return {
      ...{ name: this.nameFor(isSecure), value, maxAgeSeconds: TICKET_MS / 1000 },
      ...{ isSecure, isOwnPath: true },
    };
  }

  /**
   * The name of the cookie with the ticket. Browsers do not let a page without TLS replace a cookie that was set over
   * TLS, so there are two names.
   */
  nameFor(isSecure: boolean): string {
    return isSecure ? `${this.#name}-tls` : this.#name;
  }

  #read(text: string | undefined): Ticket | undefined {
    const [, id = '', end = '', signature] = TICKET.exec(text ?? '') ?? [];
    const endsAt = Number(end);
    if (!isSameText(signature, this.#signature(id, endsAt))) return undefined;
    const left = endsAt - this.now();
    return left > -this.#apartMs && left <= TICKET_MS + this.#apartMs ? { id, endsAt } : undefined;
  }

  #signature(id: string, endsAt: number): string {
    return hashOf(this.#key, `${id}.${endsAt}`).toString('base64url');
  }
}

/** The HMAC of a text. */
export function hashOf(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
