import { CLOSE_PX, LABEL_PX } from '../../layout/metrics.ts';

/** Height of a line of words of this size, and of the marks that words must not overlap. */
const linePxOf = (px: number) => px + 4;
/** A line is divided into 256 cells of this width. */
const CELL_PX = 64;
const CELLS = 256;

type Box = { readonly x0: number; readonly x1: number; readonly y: number };

/**
 * The room left for words in one picture: a label gets a free place, or none. Marks are clear without words, so a
 * crowded range loses labels, never marks.
 *
 *   |▨▨▨⊗▨▨▨▨▨▨▨▨|   "asleep" fits after the ring, "asleep, subscribed" would not
 */
export class Labels {
  /** By line and cell. Each box is also in the lines above and below, because it may overlap words there too. */
  readonly #boxes = new Map<number, Box[]>();
  readonly #linePx: number;
  /** Words end here: what is to the right is not drawn yet. */
  readonly end: number;

  /** `px`: the size of the words. */
  constructor(px = LABEL_PX, end = Number.POSITIVE_INFINITY) {
    this.#linePx = linePxOf(px);
    this.end = end;
  }

  /** Keeps words off this range of a line whose middle is at `y`. */
  block(x0: number, x1: number, y: number): void {
    const box = { x0, x1, y };
    const middle = Math.floor(y / this.#linePx);
    const last = cellAt(x1);
    for (let line = middle - 1; line <= middle + 1; line++) {
      for (let cell = cellAt(x0); cell <= last; cell++) {
        const boxes = this.#boxes.get(line * CELLS + cell);
        if (boxes) boxes.push(box);
        else this.#boxes.set(line * CELLS + cell, [box]);
      }
    }
  }

  /**
   * Takes the leftmost free place for `width` pixels of words between two points of a line; null if there is no room.
   */
  place(x0: number, x1: number, width: number, y: number): number | null {
    let x = x0;
    while (x + width <= Math.min(x1, this.end)) {
      const obstacle = this.#at(x, x + width, y);
      if (!obstacle) {
        this.block(x, x + width + CLOSE_PX, y);
        return x;
      }
      x = obstacle.x1 + CLOSE_PX;
    }
    return null;
  }

  #at(x0: number, x1: number, y: number): Box | undefined {
    const line = Math.floor(y / this.#linePx) * CELLS;
    const last = cellAt(x1);
    for (let cell = cellAt(x0); cell <= last; cell++) {
      const boxes = this.#boxes.get(line + cell);
      const found = boxes?.find((box) => box.x1 > x0 && box.x0 < x1 && Math.abs(box.y - y) < this.#linePx);
      if (found) return found;
    }
    return undefined;
  }
}

/** The cell of a line with a point; points outside the picture are in the first or the last cell. */
function cellAt(x: number): number {
  return Math.min(CELLS - 1, Math.max(0, Math.floor(x / CELL_PX) + 1));
}
