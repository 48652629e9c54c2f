import { forgetOldest } from '../../base/forget-oldest.ts';

const MOST = 1000;

/** Hashes in which plain commands wrote fields like holders, the newest 1000: they are not locks of Redisson. */
export class PlainHashes {
  readonly #keys = new Set<string>();

  note(db: number, name: string): void {
    this.#keys.add(`${db}/${name}`);
    forgetOldest(this.#keys, MOST);
  }

  has(db: number, name: string): boolean {
    return this.#keys.size > 0 && this.#keys.has(`${db}/${name}`);
  }
}
