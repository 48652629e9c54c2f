import { setTimeout } from 'node:timers/promises';
import type { MessageBody } from './template.ts';

const MOST_TRIES = 6;
const ANSWER_WITHIN_MS = 10_000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** Answers below 500 that a repeat may change: too slow, too early, too many requests. */
const TRY_AGAIN: ReadonlySet<number> = new Set([408, 425, 429]);

type DeliveryOptions = {
  readonly url: string;
  readonly warn: (message: string) => void;
  /** The pause after the first failure; it doubles with each further failure. */
  readonly firstPauseMs?: number;
};

/** How the deliveries went. `problem`: why the newest failure happened, without the address. */
export type DeliveryState = {
  readonly sent: number;
  /** Messages that were not delivered: after six attempts, after a refusal, or because they could not be written. */
  readonly gaveUp: number;
  readonly problem?: string;
};

/** A failed attempt. The message never contains the address: its path is a secret. */
class AttemptError extends Error {
  readonly isFinal: boolean;
  readonly pauseMs: number;

  constructor(message: string, { isFinal = false, pauseMs = 0 } = {}) {
    super(message);
    this.isFinal = isFinal;
    this.pauseMs = pauseMs;
  }
}

/**
 * Posts messages:
 *
 *   attempt ─► failed ─► pause 1 s ─► attempt ─► pause 2 s ─► … six attempts at most
 *
 * Each pause is between half and all of its length, at random, so that many senders do not try again at the same time.
 * It is longer if the receiver asks for that (`Retry-After`), but never longer than a minute.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #stopped = new AbortController();
  #sent = 0;
  #gaveUp = 0;
  #problem: string | undefined;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Settles when the message is delivered or given up, or after `stop`. Never rejects. */
  async deliver(make: () => Promise<MessageBody>): Promise<void> {
    try {
      await this.#deliver(await make());
      this.#sent++;
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      this.#giveUp(error instanceof AttemptError ? error.message : 'the message could not be written');
    }
  }

  state(): DeliveryState {
    const problem = this.#problem === undefined ? {} : { problem: this.#problem };
    return { sent: this.#sent, gaveUp: this.#gaveUp, ...problem };
  }

  /** Ends the attempt or the pause that is under way; nothing further is sent. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Rejects with the error of the last attempt. */
  async #deliver(message: MessageBody): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#post(message);
      } catch (error) {
        if (!(error instanceof AttemptError) || error.isFinal || tries === MOST_TRIES) throw error;
        this.#problem = error.message;
        await this.#pause(tries, error.pauseMs);
      }
    }
  }

  async #post({ contentType, body }: MessageBody): Promise<void> {
    const { signal } = this.#stopped;
    let answer: Response;
    try {
      answer = await fetch(this.#options.url, {
        ...{ method: 'POST', headers: { 'content-type': contentType, 'user-agent': 'lockscope' }, body },
        // A redirect could send the message to another host.
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      });
      await answer.body?.cancel();
    } catch (error) {
      signal.throwIfAborted();
      throw new AttemptError(reasonOf(error));
    }
    const { ok, status, headers } = answer;
    if (ok) return;
    const isFinal = status < 500 && !TRY_AGAIN.has(status);
    const seconds = Number(headers.get('retry-after') ?? 0);
    throw new AttemptError(`it answered ${status}`, {
      isFinal,
      pauseMs: Number.isFinite(seconds) ? seconds * 1000 : 0,
    });
  }

  #pause(tries: number, leastMs: number): Promise<void> {
    const { signal } = this.#stopped;
    const fullMs = (this.#options.firstPauseMs ?? FIRST_PAUSE_MS) * 2 ** (tries - 1);
    const ms = Math.min(LONGEST_PAUSE_MS, Math.max(leastMs, fullMs * (0.5 + Math.random() / 2)));
    return setTimeout(ms, undefined, { signal, ref: false });
  }

  #giveUp(why: string): void {
    this.#gaveUp++;
    this.#problem = why;
    const where = new URL(this.#options.url).origin;
    this.#options.warn(`A message to the webhook at ${where} was not delivered: ${why}.`);
  }
}

/** Why no answer arrived. The texts of `fetch` may contain the address, so only known codes are reported. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${ANSWER_WITHIN_MS / 1000} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^[A-Z0-9_]{2,60}$/.test(code) ? `no connection (${code})` : 'no connection';
}
