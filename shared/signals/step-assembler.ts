import type { RedisTime } from '../base/time.ts';
import type { BlindReason } from './blind-reason.ts';
import { keyEventFromPush } from './keyspace-message.ts';
import type { ServerSignal } from './server-signal.ts';
import type { ClientsSignal, LineSignal, NoteSignal, PushSignal, Signal } from './signal.ts';
import { type CommandStep, isScriptHead, type Step } from './step.ts';

/** Limits for the lines and pushes of one script. The longest script of a lock has thousands. */
export const MOST_OF_SCRIPT = { signals: 100_000, characters: 16 * 1024 * 1024 };
export const TOO_LONG = 'script-too-long';
export const LINE_LOST = 'line-lost';
const WATCHED_AGAIN = 'watching-again';

const NO_STEPS: readonly Step[] = [];
/** At most this many reports of the server and notes of people are held back: the newest ones of each kind. */
const MOST_HELD = { server: 10, note: 1000 };
const NO_LINES: readonly LineSignal[] = [];
const NO_PUSHES: readonly PushSignal[] = [];

/**
 * Joins signals into steps. A script is atomic, so its head, its `lua` lines and every push among them are one step.
 * Servers differ in where they write pushes:
 *
 *   Redis 7, 8, Valkey   push, then its line    head  ·  exists  ·  >expired…
 *   Redis 6              line, then its pushes
 *
 *   push first:  head  >expired  exists  >hincrby  hincrby  >expire  pexpire   | next line ends the step
 *   line first:  head  exists  >expired  hincrby  >hincrby  pexpire  >expire   | next line ends the step,
 *                                                                             or >expired of a key used in it
 *
 * With push first, a push before a plain command belongs to that command. A push before a script's head is a step of
 * its own (an active expiry): a script's own pushes come after its head.
 */
export class StepAssembler {
  readonly #isPushFirst: boolean;
  #head: LineSignal | undefined;
  #inner: LineSignal[] = [];
  #pushes: PushSignal[] = [];
  /** Push first only: pushes whose step depends on the next line. */
  #pending: PushSignal[] = [];
  /** Line first only: how many lines of the open script have a key as their first argument, by key. */
  #uses = new Map<string, number>();
  #signals = 0;
  #characters = 0;
  /** The time of the newest line of a script that is being dropped; undefined: no script is being dropped. */
  #unseenAt: RedisTime | undefined;
  /**
   * The newest client list, and reports and notes, that are held back until the open step ends. A newer list replaces
   * an older one.
   */
  #clients: ClientsSignal | undefined;
  #reports: (ServerSignal | NoteSignal)[] = [];

  constructor(isPushFirst: boolean) {
    this.#isPushFirst = isPushFirst;
  }

  /** Whether the next signal could still belong to the open step. */
  get isOpen(): boolean {
    return this.#head !== undefined || this.#pending.length > 0 || this.#unseenAt !== undefined;
  }

  /**
   * Takes the next signal; returns the steps that are complete now. Client lists, reports of the server and notes of
   * people have no position in the stream. They are held back until the open step is complete.
   */
  add(signal: Signal): readonly Step[] {
    if (signal.kind === 'clients' && this.isOpen) {
      this.#clients = signal;
      return NO_STEPS;
    }
    if ((signal.kind === 'server' || signal.kind === 'note') && this.isOpen) {
      this.#hold(signal);
      return NO_STEPS;
    }
    const steps = this.#add(signal);
    return steps.length > 0 ? this.#withHeld(steps) : steps;
  }

  #hold(report: ServerSignal | NoteSignal): void {
    const isSameKind = ({ kind }: { readonly kind: string }) => kind === report.kind;
    const isFull = this.#reports.filter(isSameKind).length === MOST_HELD[report.kind];
    if (isFull) this.#reports.splice(this.#reports.findIndex(isSameKind), 1);
    this.#reports.push(report);
  }

  #add(signal: Signal): readonly Step[] {
    if (signal.kind === 'push') return this.#addPush(signal);
    if (signal.kind !== 'line') return [...this.#settle(), signal];
    return signal.client === null ? this.#addInner(signal) : this.#addHead(signal);
  }

  /** Takes a line that was filtered out: it ends the open step. */
  addOther(): readonly Step[] {
    return this.settle();
  }

  /** Takes a lost line. It may have been the head of a script, or one of its commands. */
  addLost(at: RedisTime): readonly Step[] {
    if (this.#unseenAt !== undefined) return NO_STEPS;
    const isScript = this.#head !== undefined && isScriptHead(this.#head);
    return isScript ? this.#drop(at, LINE_LOST) : [...this.settle(), ...this.#drop(at, LINE_LOST)];
  }

  /** Ends the open step. The caller knows that nothing more belongs to it. */
  settle(): readonly Step[] {
    return this.#withHeld(this.#settle());
  }

  /**
   * Ends the stream. An open script is dropped, because its last lines may be missing: half a script looks like another
   * script. `unseenFrom` is the time of its head, at which the caller begins a blind spot; undefined: no script was
   * open.
   */
  end(): { steps: readonly Step[]; unseenFrom: RedisTime | undefined } {
    if (!this.#head || !isScriptHead(this.#head)) return { steps: this.settle(), unseenFrom: undefined };
    const unseenFrom = this.#head.at;
    this.#close();
    this.#pending = [];
    return { steps: this.settle(), unseenFrom };
  }

  #settle(): readonly Step[] {
    if (!this.isOpen) return NO_STEPS;
    const steps: Step[] = [...this.#endUnseen()];
    if (this.#head) steps.push(this.#close());
    this.#movePendingTo(steps);
    return steps;
  }

  #withHeld(steps: readonly Step[]): readonly Step[] {
    const clients = this.#clients;
    const reports = this.#reports;
    if (clients === undefined && reports.length === 0) return steps;
    this.#clients = undefined;
    this.#reports = [];
    return clients ? [...steps, clients, ...reports] : [...steps, ...reports];
  }

  #addPush(push: PushSignal): readonly Step[] {
    const isFull = this.#isFullWith(push.channel.length + push.message.length);
    if (this.#isPushFirst) {
      if (isFull && this.#head) return this.#drop(push.at, TOO_LONG);
      const steps: Step[] = [];
      if (isFull) this.#movePendingTo(steps);
      this.#pending.push(push);
      return steps.length > 0 ? steps : NO_STEPS;
    }
    if (this.#unseenAt !== undefined) return NO_STEPS;
    if (!this.#head) return [push];
    if (this.#isLoss(push)) return [this.#close(), push];
    if (isFull) return isScriptHead(this.#head) ? this.#drop(push.at, TOO_LONG) : [this.#close(), push];
    this.#pushes.push(push);
    return NO_STEPS;
  }

  /**
   * Line first: whether a push reports the loss of a key that more than one line of the open script uses. A key does
   * not expire while a script runs. So the key was lost after the script, and the push does not belong to the script.
   * If the key had expired before the script, the push would come right after the first line that uses the key.
   */
  #isLoss(push: PushSignal): boolean {
    const event = keyEventFromPush(push);
    if (event?.event !== 'expired' && event?.event !== 'evicted') return false;
    return (this.#uses.get(event.key) ?? 0) > 1;
  }

  #addInner(line: LineSignal): readonly Step[] {
    if (this.#unseenAt !== undefined) {
      this.#unseenAt = line.at;
      this.#pending = [];
      return NO_STEPS;
    }
    if (!this.#head) return NO_STEPS; // watching began within a script: the snapshot that follows shows its result
    if (this.#isFullWith(charactersOf(line))) return this.#drop(line.at, TOO_LONG);
    this.#movePendingTo(this.#pushes, line.at);
    this.#inner.push(line);
    const key = line.words[1];
    if (!this.#isPushFirst && key !== undefined) this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1);
    return NO_STEPS;
  }

  /** Counts one more signal of the open step; returns whether that is too many. */
  #isFullWith(characters: number): boolean {
    this.#signals++;
    this.#characters += characters;
    return this.#signals > MOST_OF_SCRIPT.signals || this.#characters > MOST_OF_SCRIPT.characters;
  }

  /** Drops the open script and begins a blind spot at its head. The blind spot ends with the script's last line. */
  #drop(at: RedisTime, reason: BlindReason): readonly Step[] {
    const from = this.#head?.at ?? at;
    this.#unseenAt = at;
    this.#pending = [];
    if (this.#head) this.#close();
    return [{ kind: 'blind-spot', at: from, phase: 'began', reason }];
  }

  #endUnseen(): readonly Step[] {
    const at = this.#unseenAt;
    this.#unseenAt = undefined;
    return at === undefined ? NO_STEPS : [{ kind: 'blind-spot', at, phase: 'ended', reason: WATCHED_AGAIN }];
  }

  #addHead(line: LineSignal): readonly Step[] {
    const steps: Step[] = [];
    if (this.#head) steps.push(this.#close());
    else if (this.#unseenAt !== undefined) steps.push(...this.#endUnseen());
    const isScript = isScriptHead(line);
    this.#movePendingTo(isScript ? steps : this.#pushes, line.at);
    this.#head = line;
    if (!isScript && this.#isPushFirst) steps.push(this.#close());
    return steps;
  }

  #movePendingTo(list: Step[], nextAt?: RedisTime): void {
    if (this.#pending.length === 0) return;
    for (const push of this.#pending) list.push(nextAt === undefined ? push : { nextAt, ...push });
    this.#pending = [];
    if (!this.#head) this.#countAgain();
  }

  #countAgain(): void {
    this.#signals = 0;
    this.#characters = 0;
    if (this.#uses.size > 0) this.#uses = new Map();
  }

  #close(): CommandStep {
    const head = this.#head;
    if (!head) throw new Error('no step is open');
    const inner = this.#inner.length > 0 ? this.#inner : NO_LINES;
    const pushes = this.#pushes.length > 0 ? this.#pushes : NO_PUSHES;
    this.#head = undefined;
    this.#countAgain();
    if (inner !== NO_LINES) this.#inner = [];
    if (pushes !== NO_PUSHES) this.#pushes = [];
    return { kind: 'command', head, inner, pushes };
  }
}

function charactersOf({ words }: LineSignal): number {
  let characters = 0;
  for (const word of words) characters += word.length;
  return characters;
}
