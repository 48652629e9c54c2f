/** Lets a loop rest until something arrives, and a moment longer, to handle together what arrives together. */
export class Bell {
  #isRung = false;
  #wake: () => void = () => {};

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  /** Rests for `ms`, or until `gatherMs` after a ring; a ring since the last rest counts. */
  rest(ms: number, gatherMs: number): Promise<void> {
    return new Promise((resolve) => {
      let timer = setTimeout(resolve, this.#isRung ? gatherMs : ms);
      if (!this.#isRung) {
        this.#wake = () => {
          clearTimeout(timer);
          timer = setTimeout(resolve, gatherMs);
          this.#wake = () => {};
        };
      }
    }).then(() => {
      this.#isRung = false;
      this.#wake = () => {};
    });
  }
}
