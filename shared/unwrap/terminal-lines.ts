/** The first line of a recording of a terminal, as asciinema writes it. */
const FIRST = /^\s{0,9}\{"version":\s?[23],/;
/** A line that does not end within this many characters is divided here. */
const LONGEST_REST = 1024 * 1024;

/** Whether a text that begins with this line is a recording of a terminal. */
export function beginsTerminal(line: string): boolean {
  return FIRST.test(line);
}

/**
 * The lines that a terminal showed. Each line of its recording has what was written at one instant, which ends
 * anywhere:
 *
 *   [0.1, "o", "1795000000.000037 [0 lua] \"exi"]
 *   [0.1, "o", "sts\" \"stock:7\"\r\n1795000000.000074 [0 "]
 */
export class TerminalLines {
  #rest = '';

  /**
   * Takes a line of the recording. Returns the lines that it ends. Nothing is joined across a line that cannot be read.
   */
  take(line: string): string[] {
    const output = outputIn(line);
    const lines = `${this.#rest}${output ?? `\n${line}\n`}`.split(/\r*\n/);
    this.#rest = lines.pop() ?? '';
    return this.#rest.length > LONGEST_REST ? [...lines, ...this.end()] : lines;
  }

  /** The text has ended. */
  end(): string[] {
    const rest = this.#rest;
    this.#rest = '';
    return rest === '' ? [] : [rest];
  }
}

/** What was written at one instant; empty if it was read, resized or marked; undefined: the line is not an event. */
function outputIn(line: string): string | undefined {
  if (line.trim() === '') return '';
  try {
    const event: unknown = JSON.parse(line);
    if (!Array.isArray(event) || typeof event[1] !== 'string') return undefined;
    return event[1] === 'o' && typeof event[2] === 'string' ? event[2] : '';
  } catch {
    return undefined;
  }
}
