import type { KeyToRead } from '../../redis/reads/key-reads.ts';
import { MinuteCount } from './minute-count.ts';
import { NameShapes } from './name-shapes.ts';

/** Characters and names of all shapes together. Beyond either, only `FEW_OF_SHAPE` names of a shape are kept. */
const MOST_CHARACTERS = 4_000_000;
const MOST_NAMES = 20_000;
const MOST_OF_SHAPE = 1000;
const FEW_OF_SHAPE = 20;
/** Keys of a shape that are asked about in one turn, unless the shape is known to have locks. */
const FEW_AT_ONCE = 4;
/** The pause before a shape is asked about again: it doubles with each turn in which a key is not a lock. */
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 30_000;
/** For each lock of a shape, this many of its other keys are read at once. */
const CREDIT = 16;
const MOST_CREDIT = 64;
/** When there is no room for another shape, and the shapes are this old, names are sorted into new ones. */
const SHAPES_LAST_MS = 600_000;

type Shape = {
  readonly names: Map<string, KeyToRead>;
  askAfter: number;
  pauseMs: number;
  /** Above 0, a key of this shape is likely to be a lock. */
  credit: number;
};

/**
 * Keys that may have become a lock, as a fair sample: every shape of name has its turn, the newest name first. A shape
 * whose keys are never locks is asked about less and less often. Outlives connections.
 *
 *   session:#   60,000 a second, never a lock     up to four of them every 30 s
 *   orders:#    one                               at once
 */
export class UnknownKeys {
  #shapes = new Map<string, Shape>();
  #sorter = new NameShapes();
  #sortedAt = 0;
  #names = 0;
  #characters = 0;
  /** Keys dropped unread. */
  readonly #drops = new MinuteCount();

  get isEmpty(): boolean {
    return this.#names === 0;
  }

  /** Adds a key; returns whether its shape is known to have locks. */
  add(key: KeyToRead, now: number): boolean {
    if (this.#sorter.isFull && now - this.#sortedAt > SHAPES_LAST_MS) this.#sortAgain(now);
    const shape = this.#shapeOf(key);
    const id = idOf(key);
    if (shape.names.has(id)) this.#remove(shape, id);
    const isCrowded = this.#names >= MOST_NAMES || this.#characters + key.name.length > MOST_CHARACTERS;
    const most = isCrowded ? FEW_OF_SHAPE : MOST_OF_SHAPE;
    while (shape.names.size >= most) this.#dropOldest(shape, now);
    if (this.#characters + key.name.length > MOST_CHARACTERS) this.#dropOldest(shape, now);
    if (this.#characters + key.name.length > 2 * MOST_CHARACTERS) {
      this.#drops.add(now);
      return false;
    }
    shape.names.set(id, key);
    this.#names++;
    this.#characters += key.name.length;
    return shape.credit > 0;
  }

  /** Takes up to `most` keys to ask about, of shapes that are known to have locks (`likely`) or of all others. */
  take(which: 'likely' | 'others', most: number, now: number): KeyToRead[] {
    const taken: KeyToRead[] = [];
    if (this.isEmpty) return taken;
    for (const [name, shape] of [...this.#shapes]) {
      if (taken.length >= most) break;
      const isLikely = shape.credit > 0;
      if (shape.names.size === 0 || isLikely !== (which === 'likely') || shape.askAfter > now) continue;
      this.#shapes.delete(name); // its next turn comes after all others
      this.#shapes.set(name, shape);
      const newest = [...shape.names].slice(-Math.min(most - taken.length, isLikely ? most : FEW_AT_ONCE)).reverse();
      for (const [id, key] of newest) {
        this.#remove(shape, id);
        taken.push(key);
      }
    }
    return taken;
  }

  /** Notes what a key that was asked about is. A key that is gone shows nothing about its shape. */
  learn(key: KeyToRead, what: 'lock' | 'other', now: number): void {
    const shape = this.#shapeOf(key);
    if (what === 'lock') {
      shape.credit = Math.min(shape.credit + CREDIT, MOST_CREDIT);
      shape.pauseMs = 0;
      shape.askAfter = 0;
    } else if (shape.credit > 0) shape.credit--;
    else {
      if (shape.askAfter > now) return; // asked in the same turn
      shape.pauseMs = Math.min(Math.max(shape.pauseMs * 2, FIRST_PAUSE_MS), LAST_PAUSE_MS);
      shape.askAfter = now + shape.pauseMs;
    }
  }

  /** Keys of the last one to two minutes that were dropped unread, because too many came. */
  dropped(now: number): number {
    return this.#drops.at(now);
  }

  #shapeOf({ db, name }: KeyToRead): Shape {
    const id = `${db}/${this.#sorter.of(name)}`;
    let shape = this.#shapes.get(id);
    if (!shape) {
      shape = { names: new Map(), askAfter: 0, pauseMs: 0, credit: 0 };
      this.#shapes.set(id, shape);
    }
    return shape;
  }

  #sortAgain(now: number): void {
    const waiting = [...this.#shapes.values()].flatMap(({ names }) => [...names.values()]);
    this.#sorter = new NameShapes();
    this.#shapes = new Map();
    this.#sortedAt = now;
    this.#names = 0;
    this.#characters = 0;
    for (const key of waiting) this.add(key, now);
  }

  #remove(shape: Shape, id: string): void {
    const key = shape.names.get(id);
    if (!key) return;
    shape.names.delete(id);
    this.#names--;
    this.#characters -= key.name.length;
  }

  #dropOldest(shape: Shape, now: number): void {
    const [oldest] = shape.names.keys();
    if (oldest === undefined) return;
    this.#remove(shape, oldest);
    this.#drops.add(now);
  }
}

function idOf({ db, name }: KeyToRead): string {
  return `${db}/${name}`;
}
