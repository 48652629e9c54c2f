import { forgetOldest } from '../../../shared/base/forget-oldest.ts';

const MOST_WRONG_TOKENS = 10;
/** Ten wrong tokens within this time start a pause of the same length. */
const WITHIN_MS = 60_000;
const MOST_ADDRESSES = 10_000;

type Tries = { wrong: number; readonly until: number };

/** Counts wrong tokens by address. After ten within a minute, the address has to wait for a minute. */
export class TokenTries {
  readonly #byAddress = new Map<string, Tries>();
  readonly #now: () => number;

  /** `now` is a monotonic clock in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Seconds that the address still has to wait; 0 if it may send a token. */
  pauseOf(address: string): number {
    const tries = this.#byAddress.get(networkOf(address));
    if (!tries || tries.wrong < MOST_WRONG_TOKENS) return 0;
    return Math.max(0, Math.ceil((tries.until - this.#now()) / 1000));
  }

  noteWrong(address: string): void {
    const network = networkOf(address);
    const before = this.#byAddress.get(network);
    const isOver = before === undefined || before.until <= this.#now();
    const wrong = isOver ? 1 : before.wrong + 1;
    // The pause starts with the tenth wrong token.
    const until = isOver || wrong === MOST_WRONG_TOKENS ? this.#now() + WITHIN_MS : before.until;
    this.#byAddress.delete(network);
    this.#byAddress.set(network, { wrong, until });
    forgetOldest(this.#byAddress, MOST_ADDRESSES);
  }
}

/**
 * The unit by which wrong tokens are counted. A customer of a provider has a whole IPv6 /64, so that is one address.
 */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const groups = head.split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length;
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail?.split(':') ?? [])];
  return `${all.slice(0, 4).join(':').toLowerCase()}::/64`;
}
