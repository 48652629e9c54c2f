/** At least and at most this many µs for one key of a SCAN: its time may contain pauses of a busy machine. */
const LEAST_MICROS = 0.8;
const MOST_MICROS = 8;
/** With fewer scans, a single pause would count too much. */
const FEW_SCANS = 5;
/** Redis counts the scans of all clients together. Only if nearly all were ours, their time is known. */
const OURS = 0.9;

type Counted = { readonly calls: number; readonly micros: number; readonly ownCalls: number; readonly ownKeys: number };

/**
 * What a SCAN of ours costs on one server, as the server counts it: with 10 million keys each key costs twice as much
 * as with 10,000, because hardly any of them is in the cache of the CPU.
 */
export class ScanCost {
  microsPerKey = LEAST_MICROS;
  #ownCalls = 0;
  #ownKeys = 0;
  #before: Counted | undefined;

  /** Notes a scan of ours that looked at this many keys. */
  scanned(keys: number): void {
    this.#ownCalls++;
    this.#ownKeys += keys;
  }

  /** Takes the text of INFO commandstats. */
  hear(text: string): void {
    const [, calls, micros] = /^cmdstat_scan:calls=(\d+),usec=(\d+)/m.exec(text) ?? [];
    if (calls === undefined) return;
    const now = { calls: Number(calls), micros: Number(micros), ownCalls: this.#ownCalls, ownKeys: this.#ownKeys };
    const before = this.#before;
    if (before && now.calls >= before.calls && now.calls - before.calls < FEW_SCANS) return;
    this.#before = now;
    if (!before || now.calls < before.calls) return;
    const keys = now.ownKeys - before.ownKeys;
    if (keys === 0 || now.ownCalls - before.ownCalls < (now.calls - before.calls) * OURS) return;
    this.microsPerKey = Math.min(MOST_MICROS, Math.max(LEAST_MICROS, (now.micros - before.micros) / keys));
  }
}
