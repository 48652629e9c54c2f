import type { Answer } from '../connection/reply.ts';

/**
 * A tick this long after the one before means that our own thread or machine was stopped: what Redis sent meanwhile is
 * unread.
 */
const OWN_DELAY_MS = 500;

export type Pulse = {
  /** How long a reply takes: the last one, or the one under way if that takes longer. */
  readonly answerMs: number;
  /** How far behind Redis we are: at least as long as the oldest unanswered command has waited. */
  readonly lagMs: number;
  /** How long Redis has sent nothing although a command is under way. 0: Redis answers. */
  readonly silentMs: number;
  /**
   * How long Redis has not run the beat under way, if it refused the beat with BUSY: a script keeps it busy. 0: the
   * beat was not refused with BUSY.
   */
  readonly busyMs: number;
  /** How long the line of a command that Redis has answered has been missing in the stream. */
  readonly behindMs: number;
};

/**
 * Sends Redis a command (`send`: ECHO, or INFO at level `replication`) and waits for the reply. At level `monitor` the
 * line of that command arrives in the stream too, at level `replication` the stream reaches the offset in the reply.
 * That shows how far the stream is behind.
 *
 *   sent ─────────► answered ─────────► line seen in the stream
 *     └─ answerMs ──────┘└──── lagMs ───────┘
 */
export class Heartbeat {
  readonly #token: string;
  readonly #isStreamed: boolean;
  readonly #onComplete: () => void;
  /** When the last complete beat was sent: everything that Redis did before this instant has arrived. */
  heardAt: number;
  #sentAt: number | undefined;
  #answeredAt: number | undefined;
  #answerMs = 0;
  #lagMs = 0;
  #tickAt: number | undefined;
  /** Silence counts from here at the earliest: before that, our thread was stopped. */
  #awakeSince = 0;
  #isRefused = false;
  #isBusy = false;

  /** `now` as in `tick`. `onComplete` is called with each later value of `heardAt`. */
  constructor(token: string, isStreamed: boolean, now: number, onComplete: () => void = () => {}) {
    this.heardAt = now;
    this.#onComplete = onComplete;
    this.#token = token;
    this.#isStreamed = isStreamed;
  }

  /**
   * Sends the next beat unless one is under way. If Redis refuses to run a beat, the next tick sends the same beat
   * again. `now` in ms, of any monotonic clock.
   */
  tick(now: number, send: (token: string) => Promise<Answer>, clock: () => number): void {
    if (this.#tickAt !== undefined && now - this.#tickAt > OWN_DELAY_MS) this.#awakeSince = now;
    this.#tickAt = now;
    if (this.#sentAt !== undefined && !this.#isRefused) return;
    this.#sentAt ??= now;
    this.#isRefused = false;
    this.#answeredAt = undefined;
    send(this.#token).then(
      (answer) => {
        this.#isBusy = answer === 'busy';
        if (answer === 'done') this.#answered(clock());
        else this.#isRefused = true;
      },
      () => {}, // the connection is gone, and this heartbeat with it
    );
  }

  /** Takes the first argument of a line in the stream: the beat is complete if it is the beat's token. */
  seen(word: string | undefined, clock: () => number): void {
    if (word !== this.#token || this.#sentAt === undefined) return;
    const now = clock();
    this.#lagMs = Math.max(0, now - (this.#answeredAt ?? now));
    if (this.#answeredAt === undefined) this.#answerMs = now - this.#sentAt; // the reply is still in the other socket
    this.#complete();
  }

  /** How long the last reply took, in ms. */
  get answerMs(): number {
    return this.#answerMs;
  }

  /** How long ago the beat under way was sent, in ms; 0: no beat is under way. */
  underWayMs(now: number): number {
    return this.#sentAt === undefined ? 0 : now - this.#sentAt;
  }

  /**
   * When the beat under way was sent, if Redis has had more than this time to run it, and has not. Undefined otherwise.
   */
  unansweredSince(now: number, ms: number): number | undefined {
    if (this.#sentAt === undefined || this.#answeredAt !== undefined) return undefined;
    return now - Math.max(this.#sentAt, this.#awakeSince) > ms ? this.#sentAt : undefined;
  }

  /** `waitingSince`: when the oldest command without a reply was sent; `readAt`: when the last bytes arrived. */
  pulse(now: number, waitingSince: number | undefined, readAt: number): Pulse {
    const waitingMs = waitingSince === undefined ? 0 : now - waitingSince;
    const underWayMs = this.underWayMs(now);
    const isMissing = this.#isStreamed && this.#sentAt !== undefined && this.#answeredAt !== undefined;
    return {
      answerMs: Math.max(this.#answerMs, waitingMs),
      lagMs: Math.max(this.#lagMs, waitingMs, underWayMs),
      silentMs: waitingSince === undefined ? 0 : Math.max(0, now - Math.max(waitingSince, readAt, this.#awakeSince)),
      busyMs: this.#isBusy ? underWayMs : 0,
      behindMs: isMissing ? Math.max(0, now - Math.max(this.#answeredAt ?? now, this.#awakeSince)) : 0,
    };
  }

  #answered(now: number): void {
    if (this.#sentAt === undefined) return; // the line of the beat was faster
    this.#answerMs = now - this.#sentAt;
    this.#answeredAt = now;
    if (this.#isStreamed) return;
    this.#lagMs = this.#answerMs;
    this.#complete();
  }

  #complete(): void {
    this.#isBusy = false;
    this.heardAt = this.#sentAt ?? this.heardAt;
    this.#sentAt = undefined;
    this.#onComplete();
  }
}
