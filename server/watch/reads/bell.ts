import { startTimer, stopTimer } from '../../redis/connection/surroundings.ts';

/** Lets a loop wait until something arrives, and a moment longer, so that it handles in one round what arrives together. */
export class Bell {
  #isRung = false;
  #wake: () => void = () => {};

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  /** Waits for `ms`, or until `gatherMs` after `ring()`. A call of `ring()` since the last wait counts. */
  rest(ms: number, gatherMs: number): Promise<void> {
    return new Promise<void>((resolve) => {
      let timer = startTimer(resolve, this.#isRung ? gatherMs : ms);
      if (!this.#isRung) {
        this.#wake = () => {
          stopTimer(timer);
          timer = startTimer(resolve, gatherMs);
          this.#wake = () => {};
        };
      }
    }).then(() => {
      this.#isRung = false;
      this.#wake = () => {};
    });
  }
}
