/** Since when the oldest of some things has been waiting; what is under way counts until it has ended. */
export class WaitingSince {
  #next: number | undefined;
  #underWay: number | undefined;

  get oldest(): number | undefined {
    return this.#underWay ?? this.#next;
  }

  add(since: number): void {
    this.#next ??= since;
  }

  /** What waits is under way from here on; what is added meanwhile waits for the next turn. */
  begin(): void {
    this.#underWay = this.oldest;
    this.#next = undefined;
  }

  /** `isMore`: some of it was left over. */
  end(isMore: boolean): void {
    if (isMore) this.#next = this.#underWay ?? this.#next;
    this.#underWay = undefined;
  }
}
