import { emitKeypressEvents, type Interface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Line } from '../../cli/text/line.ts';
import type { Size } from '../screen/screen.ts';
import { type Key, type Keypress, keyOf } from './keys.ts';
import { type Abilities, painted } from './paint.ts';

/** To the second screen, without a cursor and without line breaks by the terminal, and back. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J';
const LEAVE = '\u001b[0m\u001b[?7h\u001b[?25h\u001b[?1049l';
const CLEAR = '\u001b[0m\u001b[2J';

const USUAL_SIZE: Size = { columns: 80, rows: 24 };
/** How long a lone ESC may be the beginning of a key that arrives in parts. */
const ESCAPE_WITHIN_MS = 60;
const RESUME_AFTER_MS = 200;

type Handlers = { onKey(key: Key): void; onResize(): void };

/** The terminal as a screen: each drawing replaces the previous one. */
export class Terminal {
  readonly #stdin: ReadStream;
  readonly #stdout: WriteStream;
  readonly #abilities: Abilities;
  #drawn: string[] = [];
  #lines: readonly Line[] = [];
  #isOpen = false;
  #isEnded = false;

  constructor(stdin: ReadStream, stdout: WriteStream, abilities: Abilities) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#abilities = abilities;
  }

  /** Begins to draw and to read keys. The terminal is restored at `close`, and at the latest when the process exits. */
  open({ onKey, onResize }: Handlers): void {
    process.on('exit', () => this.close());
    process.on('SIGCONT', () => this.#resume());
    this.#stdout.on('resize', () => {
      this.#forget();
      onResize();
    });
    this.#enter();
    if (!this.#stdin.isTTY) return;
    // readline reads only this property of its interface.
    emitKeypressEvents(this.#stdin, { escapeCodeTimeout: ESCAPE_WITHIN_MS } as unknown as Interface);
    this.#stdin.on('keypress', (text: string | undefined, press: Keypress) => {
      const key = keyOf(text, press);
      if (key?.name === 'suspend') this.#suspend();
      else if (key?.name === 'redraw') this.#repaint();
      else if (key) onKey(key);
    });
    // Once the terminal is gone, stdin has an error or ends, and the process receives SIGHUP.
    this.#stdin.on('error', () => undefined);
    this.#stdin.resume();
  }

  /** Restores the terminal for good. Can be called several times. */
  close(): void {
    this.#isEnded = true;
    this.#leave();
  }

  size(): Size {
    const { columns, rows } = this.#stdout;
    return columns > 0 && rows > 0 ? { columns, rows } : USUAL_SIZE;
  }

  /** Draws the lines that differ from those drawn before. */
  draw(lines: readonly Line[]): void {
    this.#lines = lines;
    if (!this.#isOpen) return;
    const next = lines.map((each, index) => painted(each, index + 1, this.#abilities));
    const output = next.filter((text, index) => text !== this.#drawn[index]).join('');
    this.#drawn = next;
    if (output !== '') this.#stdout.write(output);
  }

  #enter(): void {
    this.#isOpen = true;
    if (this.#stdin.isTTY) this.#stdin.setRawMode(true);
    this.#stdout.write(ENTER);
  }

  #leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      if (this.#stdin.isTTY) this.#stdin.setRawMode(false);
      this.#stdout.write(LEAVE);
    } catch {
      // The terminal is gone.
    }
    this.#stdin.pause();
  }

  #forget(): void {
    this.#drawn = [];
    if (this.#isOpen) this.#stdout.write(CLEAR);
  }

  #repaint(): void {
    this.#forget();
    this.draw(this.#lines);
  }

  /**
   * Stops this process and the programs that the shell started with it. In raw mode, the terminal does not do that at
   * Ctrl-Z.
   */
  #suspend(): void {
    this.#leave();
    process.kill(0, 'SIGTSTP');
    // The process is not stopped if it has no shell that could continue it: then the screen is drawn again.
    setTimeout(() => this.#resume(), RESUME_AFTER_MS);
  }

  #resume(): void {
    if (this.#isEnded) return;
    this.#enter();
    this.#stdin.resume();
    this.#repaint();
  }
}

/** What the terminal of this process can show. */
export function abilitiesOf(stdout: WriteStream, env: NodeJS.ProcessEnv): Abilities {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return { hasColors: stdout.hasColors(), isUtf8: /utf-?8/i.test(locale) };
}

/** Whether a screen can be drawn: stdout is a terminal whose cursor can be moved. */
export function canDraw(stdout: NodeJS.WriteStream, { TERM = '' }: NodeJS.ProcessEnv): boolean {
  return stdout.isTTY === true && TERM !== '' && TERM !== 'dumb';
}
