import { commandName } from '../../../shared/doctor/rights/rights.ts';
import { RedisError, type Reply } from './reply.ts';
import { startTimer, steadyMs, stopTimer, type Timer } from './surroundings.ts';

type Pending = {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
  /** How many pushes must still arrive to confirm a subscription; 0 for a command that has a reply. */
  confirmations: number;
  words: readonly string[];
  /** When the command was sent, by `steadyMs`. */
  sentAt: number;
  /** The bytes received when the command was sent, or when its reply was last seen to arrive. */
  receivedBefore: number;
};

const CONFIRMATIONS = new Set(['subscribe', 'psubscribe', 'ssubscribe', 'unsubscribe', 'punsubscribe', 'sunsubscribe']);
/** Every command has to be answered, and every subscription confirmed, within this time. */
const COMMAND_TIMEOUT_MS = 10_000;
/** A long reply may take up to `LONGEST_MS`, if at least this many bytes arrive between two looks at it. */
const ARRIVING_BYTES = 1024 * 1024;
const LONGEST_MS = 60_000;
/**
 * A timer that is later than this shows that this process was stopped, or very busy. What arrived meanwhile is then
 * read first.
 */
const STOPPED_MS = 1000;
const MOST_CODES = 100;

/**
 * The commands of one connection that have no reply yet. Replies arrive in the order of the commands, so each one
 * belongs to the oldest; a subscription is confirmed by one push for each channel.
 *
 *   sent      HELLO · PSUBSCRIBE a b · GET
 *   received  reply · push a · push b · reply
 */
export class PendingReplies {
  /** How many error replies have arrived, by code (the first 100 codes). Errors in the reply to EXEC count too. */
  readonly refusals = new Map<string, number>();
  readonly #pending: Pending[] = [];
  readonly #onLate: (command: string, seconds: number) => void;
  readonly #onReply: (words: readonly string[], reply: Reply) => void;
  readonly #received: () => number;
  #timer: Timer | undefined;
  /** When the timer should end, by `steadyMs`. */
  #dueAt = 0;

  /**
   * `onLate` is called with a command that had no reply for 10 s, or for 60 s while a long reply arrives; `onReply`
   * with each command and its reply. `received` counts the bytes of the connection.
   */
  constructor(
    onLate: (command: string, seconds: number) => void,
    onReply: (words: readonly string[], reply: Reply) => void,
    received: () => number,
  ) {
    this.#onLate = onLate;
    this.#onReply = onReply;
    this.#received = received;
  }

  /** When the oldest command without a reply was sent, by `steadyMs`. */
  get waitingSince(): number | undefined {
    return this.#pending[0]?.sentAt;
  }

  /** Adds a command that is sent now. `reject` is called with an error reply, or with why the connection ended. */
  add(
    words: readonly string[],
    resolve: (reply: Reply) => void,
    reject: (error: Error) => void,
    { confirmations = 0 }: { confirmations?: number } = {},
  ): void {
    const receivedBefore = this.#received();
    this.#pending.push({ resolve, reject, confirmations, words, sentAt: steadyMs(), receivedBefore });
    this.#timer ??= this.#startTimer(COMMAND_TIMEOUT_MS);
  }

  /** Takes the next reply. */
  reply(reply: Reply): void {
    const pending = this.#pending.shift();
    if (!pending) return;
    this.#count(reply, pending.words);
    if (reply instanceof RedisError) reply.command = commandName(pending.words);
    this.#onReply(pending.words, reply);
    if (reply instanceof RedisError) pending.reject(reply);
    else pending.resolve(reply);
  }

  #count(reply: Reply, [command]: readonly string[]): void {
    const replies = Array.isArray(reply) && command === 'EXEC' ? reply : [reply];
    for (const each of replies) {
      if (!(each instanceof RedisError)) continue;
      const isKnown = this.refusals.has(each.code);
      if (isKnown || this.refusals.size < MOST_CODES) {
        this.refusals.set(each.code, (this.refusals.get(each.code) ?? 0) + 1);
      }
    }
  }

  /**
   * Returns whether a push confirms a subscription or its end. With the last confirmation, the command is no longer
   * pending.
   */
  confirm([kind]: readonly Reply[]): boolean {
    if (typeof kind !== 'string' || !CONFIRMATIONS.has(kind)) return false;
    const [oldest] = this.#pending;
    if (oldest && oldest.confirmations > 0 && --oldest.confirmations === 0) this.reply(null);
    return true;
  }

  /** Rejects all pending replies: no further reply arrives. */
  end(reason: Error): void {
    stopTimer(this.#timer);
    for (const pending of this.#pending.splice(0)) pending.reject(reason);
  }

  /** Replies have the order of the commands, so the oldest command shows whether the server answers at all. */
  #lookForReply(): void {
    this.#timer = undefined;
    const [oldest] = this.#pending;
    if (!oldest) return;
    const waitedMs = steadyMs() - oldest.sentAt;
    const isArriving = waitedMs < LONGEST_MS && this.#received() >= oldest.receivedBefore + ARRIVING_BYTES;
    const wasStopped = steadyMs() - this.#dueAt > STOPPED_MS;
    if (wasStopped) this.#timer = this.#startTimer(STOPPED_MS);
    else if (waitedMs < COMMAND_TIMEOUT_MS) this.#timer = this.#startTimer(COMMAND_TIMEOUT_MS - waitedMs);
    else if (isArriving) {
      oldest.receivedBefore = this.#received();
      this.#timer = this.#startTimer(COMMAND_TIMEOUT_MS);
    } else this.#onLate(oldest.words[0] ?? '', Math.round(waitedMs / 1000));
  }

  #startTimer(ms: number): Timer {
    this.#dueAt = steadyMs() + ms;
    return startTimer(() => this.#lookForReply(), ms);
  }
}
