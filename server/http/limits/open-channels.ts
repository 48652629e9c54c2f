import type { IncomingMessage } from 'node:http';
import type { Tickets } from '../guard/tickets.ts';

/** What an application decides about one request: whether its sender may see locks now. */
export type Authorize = (req: IncomingMessage) => boolean | Promise<boolean>;

type Options = {
  readonly tickets: Tickets;
  /**
   * Asked before a live channel is opened, and every 30 s while it is open. Absent: the ticket decides alone.
   */
  readonly authorize?: Authorize | undefined;
  /** Receives the errors of `authorize`, which count as a refusal. */
  readonly report: (error: unknown) => void;
};

/** A live channel or a stream that stays open after the request that opened it. */
type Channel = {
  readonly req: IncomingMessage;
  /** The id of its ticket. */
  readonly id: string;
  endsAt: number;
  /** When `authorize` was asked last. */
  askedAt: number;
  readonly end: () => void;
};

const LOOK_EVERY_MS = 5000;
const ASK_EVERY_MS = 30_000;
/** If the application has not answered within this time, the channel is refused. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * The live channels and streams of pages whose user has passed the login of an application. They end with the login:
 * when no request of the page has passed the login for the life of a ticket, or when `authorize` refuses.
 */
export class OpenChannels {
  readonly #options: Options;
  readonly #open = new Set<Channel>();
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Whether the application lets this request open a live channel now. Never rejects. */
  async admits(req: IncomingMessage): Promise<boolean> {
    const { authorize, report } = this.#options;
    if (!authorize) return !this.#isClosed;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, ANSWER_WITHIN_MS, false);
      timer.unref();
    });
    try {
      return (await Promise.race([authorize(req), late])) === true && !this.#isClosed;
    } catch (error) {
      report(error);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Calls `end` once the login of this request has ended. Returns a function that prevents this. */
  follow(req: IncomingMessage, end: () => void): () => void {
    const ticket = this.#options.tickets.of(req.headers);
    const now = this.#options.tickets.now();
    const channel = { req, id: ticket?.id ?? '', endsAt: ticket?.endsAt ?? now, askedAt: now, end };
    this.#open.add(channel);
    return () => void this.#open.delete(channel);
  }

  /** A request of the page with this ticket has passed the login. */
  renew({ id, endsAt }: { readonly id: string; readonly endsAt: number }): void {
    for (const channel of this.#open) if (channel.id === id) channel.endsAt = Math.max(channel.endsAt, endsAt);
  }

  /** Ends what no longer has a login, and asks the application about the others. */
  look(): void {
    const now = this.#options.tickets.now();
    for (const channel of this.#open) {
      if (channel.endsAt <= now) this.#end(channel);
      else if (this.#options.authorize && now - channel.askedAt >= ASK_EVERY_MS) {
        channel.askedAt = now;
        void this.admits(channel.req).then((isAdmitted) => isAdmitted || this.#end(channel));
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#open.clear();
  }

  #end(channel: Channel): void {
    if (this.#open.delete(channel)) channel.end();
  }
}
