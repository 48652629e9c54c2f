/** Characters that take two columns. */
const WIDE = /[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uff01-\uff60\u{1f300}-\u{1faff}]/u;
const SEQUENCE = /^\u001b\[(\??)([\d;]*)([A-Za-z])/;

/** The modes of a terminal that a program must restore. */
type Modes = { isOtherScreen: boolean; hasCursor: boolean; wraps: boolean };

/** A small terminal: shows what a program wrote as text on a screen. It knows only the sequences of `lockscope top`. */
export class TextScreen {
  readonly modes: Modes = { isOtherScreen: false, hasCursor: true, wraps: true };
  /** Sequences and control characters that this terminal does not know. */
  readonly unknown: string[] = [];
  #cells: string[][] = [];
  #row = 0;
  #column = 0;
  #rest = '';

  /** Takes the next output of the program. A sequence may be divided between two calls. */
  write(output: string): void {
    let text = this.#rest + output;
    this.#rest = '';
    while (text !== '') {
      if (text.startsWith('\u001b')) {
        const [whole, mark = '', numbers = '', final = ''] = SEQUENCE.exec(text) ?? [];
        if (whole === undefined && /^\u001b(?:\[[?\d;]*)?$/.test(text)) {
          this.#rest = text;
          return;
        }
        this.#apply(mark + final, numbers.split(';').map(Number), whole ?? text.slice(0, 2));
        text = text.slice((whole ?? text.slice(0, 2)).length);
      } else {
        const char = String.fromCodePoint(text.codePointAt(0) ?? 0);
        this.#put(char);
        text = text.slice(char.length);
      }
    }
  }

  /** The rows as text, without spaces at their ends. */
  rows(): string[] {
    return Array.from(this.#cells, (row = []) =>
      Array.from(row, (cell = ' ') => cell)
        .join('')
        .trimEnd(),
    );
  }

  #put(char: string): void {
    if (char === '\r') this.#column = 0;
    else if (char === '\n') this.#row++;
    else if (/\p{Cc}/u.test(char)) this.unknown.push(JSON.stringify(char));
    else {
      const row = this.#cells[this.#row] ?? [];
      this.#cells[this.#row] = row;
      row[this.#column++] = char;
      if (WIDE.test(char)) row[this.#column++] = '';
    }
  }

  #apply(command: string, [first = 0, second = 0]: number[], whole: string): void {
    const isOn = command === '?h';
    switch (command) {
      case 'H':
        this.#row = first - 1;
        this.#column = second - 1;
        break;
      case 'G':
        this.#column = first - 1;
        break;
      case 'K':
        this.#cells[this.#row] = (this.#cells[this.#row] ?? []).slice(0, this.#column);
        break;
      case 'J':
        this.#cells = [];
        break;
      case 'm':
        break;
      case '?h':
      case '?l':
        if (first === 1049) this.modes.isOtherScreen = isOn;
        else if (first === 25) this.modes.hasCursor = isOn;
        else if (first === 7) this.modes.wraps = isOn;
        else this.unknown.push(whole);
        break;
      default:
        this.unknown.push(whole);
    }
  }
}
