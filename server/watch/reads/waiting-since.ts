/** Since when the oldest of several things has waited. A thing under way counts until it has ended. */
export class WaitingSince {
  #next: number | undefined;
  #underWay: number | undefined;

  get oldest(): number | undefined {
    return this.#underWay ?? this.#next;
  }

  add(since: number): void {
    this.#next ??= since;
  }

  /** Notes that everything waiting is now under way. What is added meanwhile waits for the next turn. */
  begin(): void {
    this.#underWay = this.oldest;
    this.#next = undefined;
  }

  /** Notes the end of this turn. `isMore`: a part of the turn is left. */
  end(isMore: boolean): void {
    if (isMore) this.#next = this.#underWay ?? this.#next;
    this.#underWay = undefined;
  }
}
