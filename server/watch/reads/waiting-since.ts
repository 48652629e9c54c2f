/** Since when the oldest of several keys has waited to be read. Keys of a turn under way count until its end. */
export class WaitingSince {
  #next: number | undefined;
  #underWay: number | undefined;

  get oldest(): number | undefined {
    return this.#underWay ?? this.#next;
  }

  add(since: number): void {
    this.#next ??= since;
  }

  /** Notes that a turn begins with all keys that wait. Keys that are added meanwhile wait for the next turn. */
  begin(): void {
    this.#underWay = this.oldest;
    this.#next = undefined;
  }

  /** Notes the end of this turn. `isMore`: some of its keys still wait. */
  end(isMore: boolean): void {
    if (isMore) this.#next = this.#underWay ?? this.#next;
    this.#underWay = undefined;
  }
}
