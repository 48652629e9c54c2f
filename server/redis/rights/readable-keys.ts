/**
 * What is known about the keys whose names begin alike. `tryAt`: when another of them may be tried, once all were
 * refused.
 */
type Group = { readable: number; refused: number; pauseMs: number; tryAt: number };

/** After this many refusals, and no key that may be read, the keys of a group are refused without a try. */
const REFUSALS = 3;
const FIRST_PAUSE_MS = 60_000;
const LAST_PAUSE_MS = 3_600_000;
/** Each refusal becomes an entry in ACL LOG: at most this many at first, then one every 10 s. */
const MOST_TRIES = 60;
const TRY_EVERY_MS = 10_000;
const MOST_GROUPS = 5000;
const MOST_SAMPLES = 8;
const MOST_READABLE = 100;
/** A name has this many prefixes at most, and itself. */
const MOST_PREFIXES = 4;
const SEPARATOR = /[:./|_{}-]/;
/** How many characters of a name are used. */
const MOST_CHARACTERS = 1000;

/**
 * Which keys a user may read whose keys are limited (`~orders:*`). Redis reports that only by refusing a key, and it
 * logs each refusal, so few keys of a kind are tried:
 *
 *   orders:     some may be read, none is refused        read
 *   payments:   three are refused, none may be read      not tried for a minute, then for longer
 *   app:        some may be read, some are refused       decided by the longer prefix, then by each name
 *
 * While no key was ever refused, nothing is kept and every key counts as readable.
 */
export class ReadableKeys {
  readonly #groups = new Map<string, Group>();
  /** The first refused names, of different groups. They show whether the rights have changed. */
  readonly #samples: string[] = [];
  /** The newest names that may be read. */
  readonly #readable = new Set<string>();
  #tries = MOST_TRIES;
  #triesAt = 0;

  /** Whether a key was refused. */
  get isLimited(): boolean {
    return this.#samples.length > 0;
  }

  /** The newest name that may be read; undefined: none is known. */
  get readable(): string | undefined {
    return [...this.#readable].at(-1);
  }

  /** A few names that were refused. */
  get samples(): readonly string[] {
    return this.#samples;
  }

  /** Notes that a key was refused. */
  refuse(name: string, now: number): void {
    this.#refill(now);
    this.#tries = Math.max(0, this.#tries - 1);
    this.#readable.delete(name);
    const isNew = !this.#prefixes(name).some((prefix) => (this.#groups.get(prefix)?.refused ?? 0) > 0);
    if (isNew && this.#samples.length < MOST_SAMPLES) this.#samples.push(copyOf(name));
    this.#count(name, (group) => {
      group.refused++;
      if (group.readable > 0 || group.refused < REFUSALS) return;
      group.tryAt = now + group.pauseMs;
      group.pauseMs = Math.min(group.pauseMs * 2, LAST_PAUSE_MS);
    });
  }

  /**
   * Notes that a key may be read. If it is one of `samples`, the rights have changed: every refusal is forgotten.
   */
  allow(name: string): void {
    if (this.#samples.includes(name)) this.forgetRefusals();
    else if (!this.isLimited) return;
    if (!this.#readable.has(name)) this.#readable.add(copyOf(name));
    if (this.#readable.size > MOST_READABLE) this.#readable.delete(this.#readable.values().next().value ?? '');
    if (!this.isLimited) return;
    this.#count(name, (group) => {
      group.readable++;
    });
  }

  /** Forgets every refusal. */
  forgetRefusals(): void {
    this.#groups.clear();
    this.#readable.clear();
    this.#samples.length = 0;
    this.#tries = MOST_TRIES;
  }

  /** Whether this key may be read, as far as is known; `unknown`: a try would show it. */
  verdictOf(name: string, now: number): 'readable' | 'refused' | 'unknown' {
    if (!this.isLimited) return 'readable';
    for (const prefix of this.#prefixes(name)) {
      const group = this.#groups.get(prefix);
      if (!group) return 'unknown';
      if (group.refused === 0) return 'readable';
      if (group.readable > 0) continue;
      const isWhole = prefix.length === name.length;
      return isWhole || (group.refused >= REFUSALS && now < group.tryAt) ? 'refused' : 'unknown';
    }
    return 'readable';
  }

  /** The names to try now, one of each group of which too little is known. */
  toTry(names: readonly string[], now: number): string[] {
    this.#refill(now);
    const tried = new Set<string>();
    const found: string[] = [];
    for (const name of new Set(names)) {
      if (found.length >= this.#tries) break;
      if (this.verdictOf(name, now) !== 'unknown') continue;
      const group = this.#undecided(name);
      if (tried.has(group)) continue;
      tried.add(group);
      found.push(name);
    }
    return found;
  }

  /** The shortest prefix that does not decide yet. */
  #undecided(name: string): string {
    return (
      this.#prefixes(name).find((prefix) => {
        const group = this.#groups.get(prefix);
        return !group || group.readable === 0;
      }) ?? name
    );
  }

  /** Counts a key for its prefixes, up to the first whose keys are all readable or all refused. */
  #count(name: string, add: (group: Group) => void): void {
    for (const prefix of this.#prefixes(name)) {
      let group = this.#groups.get(prefix);
      if (!group) {
        if (this.#groups.size >= MOST_GROUPS) return;
        const isAnyReadable = [...this.#readable].some((known) => known.startsWith(prefix) && known !== name);
        group = { readable: isAnyReadable ? 1 : 0, refused: 0, pauseMs: FIRST_PAUSE_MS, tryAt: 0 };
        this.#groups.set(copyOf(prefix), group);
      }
      add(group);
      if (group.readable === 0 || group.refused === 0) return;
    }
  }

  /** `app:`, `app:eu:`, … and the name. */
  #prefixes(whole: string): string[] {
    const name = whole.slice(0, MOST_CHARACTERS);
    const prefixes: string[] = [];
    for (let at = 0; at < name.length && prefixes.length < MOST_PREFIXES; ) {
      const end = name.slice(at).search(SEPARATOR);
      if (end === -1) break;
      at += end + 1;
      prefixes.push(name.slice(0, at));
    }
    return prefixes.at(-1) === name ? prefixes : [...prefixes, name];
  }

  #refill(now: number): void {
    const more = Math.floor((now - this.#triesAt) / TRY_EVERY_MS);
    if (more <= 0) return;
    this.#tries = Math.min(MOST_TRIES, this.#tries + more);
    this.#triesAt = now;
  }
}

/** Copies a name: a part of a string keeps the whole string in memory, and a name may have a megabyte. */
function copyOf(binary: string): string {
  return Buffer.from(binary.slice(0, MOST_CHARACTERS), 'latin1').toString('latin1');
}
