import { inOrderOfTime, isSameLine, type TextLine } from './captures.ts';

/**
 * If the first lines go back in time this often, and never forward, the text begins with its newest line. In a text
 * that ends before that, one step back is enough.
 */
const STEPS_BACK = 3;
/** If this many lines show neither a step forward nor three steps back, the text is read in its own order. */
const MOST_UNDECIDED = 1000;
/**
 * Lines that are kept until the end of a text, and their characters: as many as the memory of the thread can contain.
 */
const MOST_KEPT = 100_000;
const MOST_CHARACTERS = 16_000_000;

/**
 * Puts the lines of a text in the order of time: Kibana, Grafana and CloudWatch export the newest line first, and
 * people put several captures in one file. A longer text is read in its own order, unless the newest line is the first
 * line.
 */
export class LineOrder {
  /** Whether the newest line is the first line; undefined: not known yet. */
  isNewestFirst: boolean | undefined;
  /** Whether captures were put in the order of time. */
  hasMoved = false;
  /** The number of lines that were left out because they are there twice. */
  doubles = 0;
  /** The number of the first line, if it was cut and left out. */
  cut: number | undefined;
  #held: TextLine[] = [];
  #isStreaming = false;
  #steps = 0;
  #characters = 0;
  #lastAt: number | undefined;

  /**
   * Whether the newest line is the first line, and the room for kept lines is full. Lines that follow are older than
   * all kept lines.
   */
  get isFull(): boolean {
    return this.isNewestFirst === true && this.#hasNoRoom;
  }

  get #hasNoRoom(): boolean {
    return this.#held.length >= MOST_KEPT || this.#characters >= MOST_CHARACTERS;
  }

  /** Takes the next line. Returns the lines whose place is known now. */
  add(line: TextLine): readonly TextLine[] {
    if (this.#isStreaming) return [line];
    this.#leaveCutLine(line);
    if (line === 'lost' && this.#held.at(-1) === 'lost') return [];
    this.#held.push(line);
    if (line === 'lost') return [];
    this.#characters += line.length;
    if (this.isNewestFirst === undefined) this.#look(line.parsed.at);
    if (this.isNewestFirst !== false || !this.#hasNoRoom) return [];
    this.#isStreaming = true;
    return this.#release();
  }

  /** No line follows: returns the remaining lines. */
  finish(): readonly TextLine[] {
    if (isDoubled(this.#held)) {
      this.doubles = this.#held.length / 2;
      this.#held = this.#held.filter((_, n) => n % 2 === 0);
    }
    this.isNewestFirst ??= this.#steps > 0;
    if (this.isNewestFirst) return this.#release().reverse();
    const ordered = inOrderOfTime(this.#held);
    if (!ordered) return this.#release();
    this.hasMoved = ordered.hasMoved;
    this.doubles += ordered.doubles;
    return ordered.lines;
  }

  /** Leaves out the first line if its time was cut in front: `0000.000037` of `1795000000.000037`. */
  #leaveCutLine(line: TextLine): void {
    const [first] = this.#held;
    const isSecond = this.#held.every((each, n) => n === 0 || each === 'lost');
    if (!isSecond || !first || first === 'lost' || line === 'lost') return;
    if (line.parsed.at < LEAST_AT || digitsOf(first) >= digitsOf(line)) return;
    this.cut = first.number;
    this.#held = [];
    this.#lastAt = undefined;
  }

  #look(at: number): void {
    const step = this.#lastAt === undefined ? 0 : at - this.#lastAt;
    this.#lastAt = at;
    if (step < 0) this.#steps++;
    if (this.#steps >= STEPS_BACK) this.isNewestFirst = true;
    else if (step > 0 || this.#held.length >= MOST_UNDECIDED || this.#characters >= MOST_CHARACTERS)
      this.isNewestFirst = false;
  }

  #release(): TextLine[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }
}

/**
 * Whether each of at least six lines is there twice, as two collectors of logs write them. If only a few lines are
 * there twice, Redis may have written them so within a microsecond.
 */
function isDoubled(lines: readonly TextLine[]): boolean {
  if (lines.length < LEAST_DOUBLED || lines.length % 2 === 1) return false;
  return lines.every((line, n) => n % 2 === 1 || isSameLine(line, lines[n + 1]));
}

function digitsOf({ parsed }: Exclude<TextLine, 'lost'>): number {
  return String(parsed.at).length;
}

const LEAST_DOUBLED = 6;
/** The smallest time, in µs, whose seconds have nine digits: in 1973. */
const LEAST_AT = 100_000_000_000_000;
