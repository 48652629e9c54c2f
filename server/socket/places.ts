/** Pages that have sent `hello`. */
const MOST_PAGES = 100;
/** Connections that wait for their turn to join. */
const MOST_QUEUED = 100;
/** A page sends `hello` at once. A connection that has not sent it within this time is closed. */
const HELLO_WITHIN_MS = 5000;
/** As `HELLO_WITHIN_MS`, if other connections are queued. */
const HELLO_IN_TURN_MS = 1000;
const LOOK_EVERY_MS = 100;

/** The possible answers to a connection that wants to join. */
type Joining = { admit(): void; refuse(): void; close(): void };

/**
 * The places of the live channel. Only a page that has sent `hello` keeps its place:
 *
 *   connects ─► queued ─► admitted ──hello──► page
 *                  ▲          └─ silent: closed after 5 s, or 1 s if others are queued
 *                  └─ while pages and admitted together fill every place
 *
 * So silent connections never keep a page out for long. If pages have all places, queued connections are refused.
 */
export class Places<Connection> {
  readonly #pages = new Set<Connection>();
  readonly #silent = new Map<Connection, { joining: Joining; since: number }>();
  readonly #queue = new Map<Connection, Joining>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => this.#settle(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Asks for a place. Calls `admit` or `refuse`, now or later, and `close` if an admitted connection stays silent. */
  ask(connection: Connection, joining: Joining): void {
    if (this.#pages.has(connection) || this.#silent.has(connection) || this.#queue.has(connection))
      return joining.refuse();
    this.#queue.set(connection, joining);
    this.#settle();
  }

  /** The connection has sent `hello` and keeps its place. */
  greet(connection: Connection): void {
    if (this.#silent.delete(connection)) this.#pages.add(connection);
    this.#settle();
  }

  leave(connection: Connection): void {
    this.#pages.delete(connection);
    this.#silent.delete(connection);
    this.#queue.delete(connection);
    this.#settle();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #settle(): void {
    this.#closeSilent();
    for (const [connection, joining] of this.#queue) {
      const isFull = this.#pages.size >= MOST_PAGES;
      if (!isFull && this.#pages.size + this.#silent.size >= MOST_PAGES) break;
      this.#queue.delete(connection);
      if (isFull) {
        joining.refuse();
        continue;
      }
      this.#silent.set(connection, { joining, since: performance.now() });
      joining.admit();
    }
    // Refuse the oldest first: in a flood of connections, a page that connects later keeps its turn.
    for (const [connection, joining] of [...this.#queue].slice(0, -MOST_QUEUED)) {
      this.#queue.delete(connection);
      joining.refuse();
    }
  }

  #closeSilent(): void {
    const patience = this.#queue.size > 0 ? HELLO_IN_TURN_MS : HELLO_WITHIN_MS;
    for (const [connection, { joining, since }] of this.#silent) {
      if (performance.now() - since < patience) continue;
      this.#silent.delete(connection);
      joining.close();
    }
  }
}
