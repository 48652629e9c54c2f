import { keyEventFromPush } from './keyspace-message.ts';
import type {
  BlindSpotSignal,
  BookmarkSignal,
  ClientsSignal,
  FailoverSignal,
  LineSignal,
  PushSignal,
  Signal,
} from './signal.ts';

/** One thing Redis did as a whole: a plain command, or a script with everything it caused. */
export type CommandStep = {
  readonly kind: 'command';
  /** The client's own line. */
  readonly head: LineSignal;
  /** The commands the script ran, in order; empty for a plain command. */
  readonly inner: readonly LineSignal[];
  /** Messages pushed while it ran. */
  readonly pushes: readonly PushSignal[];
};

export type Step = CommandStep | PushSignal | BookmarkSignal | BlindSpotSignal | FailoverSignal | ClientsSignal;

const SCRIPT_COMMANDS = new Set(['EVAL', 'EVALSHA', 'EVAL_RO', 'EVALSHA_RO', 'FCALL', 'FCALL_RO']);

const LOWER_CASE = 32;
const LETTER_E = 101;
const LETTER_F = 102;
const NO_STEPS: readonly Step[] = [];
const NO_LINES: readonly LineSignal[] = [];
const NO_PUSHES: readonly PushSignal[] = [];

/** Whether a line is the head of a script, so that `lua` lines may follow it. */
export function isScriptHead(line: LineSignal): boolean {
  const name = line.words[0] ?? '';
  const letter = name.charCodeAt(0) | LOWER_CASE;
  if (letter !== LETTER_E && letter !== LETTER_F) return false; // nearly every line ends here
  return SCRIPT_COMMANDS.has(name) || SCRIPT_COMMANDS.has(name.toUpperCase());
}

/**
 * Puts signals together into steps. A script is atomic, so its head, its `lua` lines and every push among them are
 * one step, wherever this server writes pushes:
 *
 *   Redis 7, 8, Valkey   push, then its line    head  ·  exists  ·  >expired…
 *   Redis 6              line, then its pushes
 *
 *   push first:  head  >expired  exists  >hincrby  hincrby  >expire  pexpire   | next line ends the step
 *   line first:  head  exists  >expired  hincrby  >hincrby  pexpire  >expire   | next line ends the step,
 *                                                                             or >expired of a key used in it
 *
 * With push first, a push before a plain command is that command's. A push before a script's head stands alone
 * (an active expiry): a script's own pushes come after its head.
 */
export class StepAssembler {
  readonly #isPushFirst: boolean;
  #head: LineSignal | undefined;
  #inner: LineSignal[] = [];
  #pushes: PushSignal[] = [];
  /** Push first only: seen, but whose they are depends on the next line. */
  #pending: PushSignal[] = [];
  /** Waits for the end of what is open; a newer one says more. */
  #clients: ClientsSignal | undefined;

  constructor(isPushFirst: boolean) {
    this.#isPushFirst = isPushFirst;
  }

  /** True while the next signal could still belong to what came before. */
  get isOpen(): boolean {
    return this.#head !== undefined || this.#pending.length > 0;
  }

  /**
   * Takes the next signal and gives back the steps that are complete now. Who is connected is heard on another connection
   * and has no place in the stream: it waits until what is open is complete, and cuts nothing in two.
   */
  add(signal: Signal): readonly Step[] {
    if (signal.kind === 'clients' && this.isOpen) {
      this.#clients = signal;
      return NO_STEPS;
    }
    const steps = this.#add(signal);
    return this.#clients && steps.length > 0 ? this.#withClients(steps) : steps;
  }

  #add(signal: Signal): readonly Step[] {
    if (signal.kind === 'push') return this.#addPush(signal);
    if (signal.kind !== 'line') return [...this.#settle(), signal];
    return signal.client === null ? this.#addInner(signal) : this.#addHead(signal);
  }

  /** Says that a line without interest stood here: it ends what was open. */
  addOther(): readonly Step[] {
    return this.settle();
  }

  /** Ends what is open: the stream is quiet, so nothing more belongs to it. */
  settle(): readonly Step[] {
    const steps = this.#settle();
    return this.#clients ? this.#withClients(steps) : steps;
  }

  #settle(): readonly Step[] {
    if (!this.isOpen) return NO_STEPS;
    const steps: Step[] = [];
    if (this.#head) steps.push(this.#close());
    this.#movePendingTo(steps);
    return steps;
  }

  #withClients(steps: readonly Step[]): readonly Step[] {
    const clients = this.#clients;
    this.#clients = undefined;
    return clients ? [...steps, clients] : steps;
  }

  #addPush(push: PushSignal): readonly Step[] {
    if (this.#isPushFirst) {
      this.#pending.push(push);
      return NO_STEPS;
    }
    if (!this.#head) return [push];
    if (this.#isLoss(push)) return [this.#close(), push];
    this.#pushes.push(push);
    return NO_STEPS;
  }

  /**
   * Line first: whether a push is the loss of a key that the open script found there and used. Time stands still for
   * a script, so that key was lost after it; what ran out before is told behind the first line about it.
   */
  #isLoss(push: PushSignal): boolean {
    const event = keyEventFromPush(push);
    if (event?.event !== 'expired' && event?.event !== 'evicted') return false;
    return this.#inner.filter((line) => line.words[1] === event.key).length > 1;
  }

  #addInner(line: LineSignal): readonly Step[] {
    if (!this.#head) return NO_STEPS; // joined in mid-script: the snapshot that follows tells what came of it
    this.#movePendingTo(this.#pushes);
    this.#inner.push(line);
    return NO_STEPS;
  }

  #addHead(line: LineSignal): readonly Step[] {
    const steps: Step[] = this.#head ? [this.#close()] : [];
    const isScript = isScriptHead(line);
    this.#movePendingTo(isScript ? steps : this.#pushes);
    this.#head = line;
    if (!isScript && this.#isPushFirst) steps.push(this.#close());
    return steps;
  }

  #movePendingTo(list: Step[]): void {
    if (this.#pending.length === 0) return;
    for (const push of this.#pending) list.push(push);
    this.#pending = [];
  }

  #close(): CommandStep {
    const head = this.#head;
    if (!head) throw new Error('no step is open');
    const inner = this.#inner.length > 0 ? this.#inner : NO_LINES;
    const pushes = this.#pushes.length > 0 ? this.#pushes : NO_PUSHES;
    this.#head = undefined;
    if (inner !== NO_LINES) this.#inner = [];
    if (pushes !== NO_PUSHES) this.#pushes = [];
    return { kind: 'command', head, inner, pushes };
  }
}

/** A script's call: what it was given, and the SHA of its text. */
export type ScriptCall = { readonly sha: string; readonly keys: readonly string[]; readonly args: readonly string[] };

/** Reads a script head's KEYS and ARGV; undefined when the line is no well-formed script call. */
export function scriptCallFromHead(head: LineSignal): ScriptCall | undefined {
  if (!isScriptHead(head)) return undefined;
  const count = Number(head.words[2]);
  if (!Number.isInteger(count) || count < 0 || 3 + count > head.words.length) return undefined;
  const sha = scriptShaOf(head);
  return { sha, keys: head.words.slice(3, 3 + count), args: head.words.slice(3 + count) };
}

/** The SHA of a script head's text, whether it was sent by its text or by its SHA. */
export function scriptShaOf(head: LineSignal): string {
  const script = head.words[1] ?? '';
  return script.startsWith('<script ') ? script.slice('<script '.length, -1) : script.toLowerCase();
}
