/** What one key holds. Sorted sets are kept as scores by member. */
export type Content =
  | { readonly type: 'hash'; readonly fields: Map<string, string> }
  | { readonly type: 'string'; text: string }
  | { readonly type: 'list'; readonly items: string[] }
  | { readonly type: 'zset'; readonly scores: Map<string, number> };

/** `expiresAt` is in microseconds; null: the key has no expiry. */
export type Key = { readonly content: Content; expiresAt: number | null };

/**
 * A key event that Redis publishes for a command, for example `hincrby` of `orders:42`. `fields`: those of the hash
 * that the command changed.
 */
export type KeyEvent = { readonly key: string; readonly event: string; readonly fields?: readonly string[] };

/** What a command does: the key events that it publishes, and the change itself, which `commit` applies. */
type Effect = { readonly events: readonly KeyEvent[]; commit(): void };

const NOTHING: Effect = { events: [], commit: () => undefined };

/**
 * A small Redis, which replays the commands that locks use. It never expires a key by itself. The caller decides that,
 * because only Redis knows the instant at which it deletes a key.
 */
export class RedisModel {
  readonly #keys = new Map<string, Key>();
  /** Every key that ever existed. */
  readonly #seen = new Set<string>();

  find(db: number, name: string): Key | undefined {
    return this.#keys.get(`${db}:${name}`);
  }

  /** Whether a key ever existed. */
  hasSeen(db: number, name: string): boolean {
    return this.#seen.has(`${db}:${name}`);
  }

  delete(db: number, name: string): void {
    this.#keys.delete(`${db}:${name}`);
  }

  /** Names of the keys in a database. */
  names(db: number): string[] {
    const prefix = `${db}:`;
    return [...this.#keys.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  }

  /** Every key of every database. */
  *all(): Generator<{ readonly db: number; readonly name: string; readonly key: Key }> {
    for (const [id, key] of this.#keys) {
      const at = id.indexOf(':');
      yield { db: Number(id.slice(0, at)), name: id.slice(at + 1), key };
    }
  }

  /**
   * Returns what a command would do at `at` (microseconds). A command that only reads, or that locks do not use, does
   * nothing.
   */
  effectOf(db: number, words: readonly string[], at: number): Effect {
    const [command = '', name = '', ...rest] = words;
    const key = this.find(db, name);
    const on = { db, name, key, rest, at, model: this };
    return COMMANDS[command.toLowerCase()]?.(on) ?? NOTHING;
  }

  /** Returns the content of a key. Creates an empty key if it does not exist. */
  make<Type extends Content['type']>(db: number, name: string, type: Type): Extract<Content, { type: Type }> {
    const known = this.find(db, name);
    const content = known?.content ?? empty(type);
    if (content.type !== type) throw new Error(`${name} is a ${content.type}, not a ${type}`);
    if (!known) this.#set(`${db}:${name}`, { content, expiresAt: null });
    return content as Extract<Content, { type: Type }>; // the line above compared the types
  }

  setText(db: number, name: string, text: string, expiresAt: number | null): void {
    this.#set(`${db}:${name}`, { content: { type: 'string', text }, expiresAt });
  }

  #set(id: string, key: Key): void {
    this.#keys.set(id, key);
    this.#seen.add(id);
  }
}

type On = {
  readonly db: number;
  readonly name: string;
  readonly key: Key | undefined;
  readonly rest: readonly string[];
  readonly at: number;
  readonly model: RedisModel;
};
type Command = (on: On) => Effect;

const COMMANDS: Readonly<Record<string, Command>> = {
  hset: (on) => changeHash(on, 'hset', pairs(on.rest)),
  hmset: (on) => changeHash(on, 'hset', pairs(on.rest)),
  hincrby: (on) => changeHash(on, 'hincrby', [[on.rest[0] ?? '', String(numberIn(on) + Number(on.rest[1]))]]),
  hdel: removeFromHash,
  set,
  setnx: (on) => set({ ...on, rest: [on.rest[0] ?? '', 'NX'] }),
  mset: (on) => setAll(on),
  msetnx: (on) => (pairs([on.name, ...on.rest]).some(([name]) => on.model.find(on.db, name)) ? NOTHING : setAll(on)),
  incr: (on) => addTo(on, 1),
  incrby: (on) => addTo(on, Number(on.rest[0])),
  decr: (on) => addTo(on, -1),
  decrby: (on) => addTo(on, -Number(on.rest[0])),
  del: (on) => deleteAll(on, [on.name, ...on.rest]),
  unlink: (on) => deleteAll(on, [on.name, ...on.rest]),
  delex: (on) => (isText(on, on.rest[1]) ? deleteAll(on, [on.name]) : NOTHING),
  flushdb: ({ model, db }) => ({
    events: [],
    commit() {
      for (const name of model.names(db)) model.delete(db, name);
    },
  }),
  pexpire: (on) => expire(on, Number(on.rest[0])),
  expire: (on) => expire(on, Number(on.rest[0]) * 1000),
  pexpireat: (on) => expire({ ...on, at: 0 }, Number(on.rest[0])),
  persist(on) {
    if (on.key?.expiresAt == null) return NOTHING;
    return changed(on, 'persist', (key) => {
      key.expiresAt = null;
    });
  },
  rpush: (on) => push(on, 'rpush'),
  lpop: (on) => removeFromList(on, 'lpop', (items) => items.slice(1)),
  lrem: (on) => removeFromList(on, 'lrem', (items) => items.filter((item) => item !== on.rest[1])),
  zadd: addToSet,
  zremrangebyscore: (on) => removeFromSet({ ...on, rest: membersUntil(on) }, 'zremrangebyscore'),
  zincrby: (on) => score(on, 'zincr', on.rest[1] ?? '', scoreOf(on, on.rest[1] ?? '') + Number(on.rest[0])),
  zrem: (on) => removeFromSet(on),
};

function changeHash(on: On, event: string, fields: readonly (readonly [string, string])[]): Effect {
  const commit = () => {
    const hash = on.model.make(on.db, on.name, 'hash');
    for (const [field, value] of fields) hash.fields.set(field, value);
  };
  const names = fields.map(([field]) => field);
  return { events: [{ key: on.name, event, fields: names }], commit };
}

function numberIn({ key, rest }: On): number {
  return key?.content.type === 'hash' ? Number(key.content.fields.get(rest[0] ?? '') ?? 0) : 0;
}

function removeFromHash(on: On): Effect {
  if (on.key?.content.type !== 'hash') return NOTHING;
  const { fields } = on.key.content;
  const removed = on.rest.filter((field) => fields.has(field));
  if (removed.length === 0) return NOTHING;
  const { events, commit } = shrink(on, 'hdel', fields.size === removed.length, () => remove(fields, removed));
  return { events: events.map((each) => (each.event === 'hdel' ? { ...each, fields: removed } : each)), commit };
}

function set(on: On): Effect {
  const [text = '', ...options] = on.rest;
  const words = options.map((word) => word.toUpperCase());
  if (words.includes('NX') && on.key) return NOTHING;
  if (words.includes('XX') && !on.key) return NOTHING;
  if (words.includes('IFEQ') && !isText(on, options[words.indexOf('IFEQ') + 1])) return NOTHING;
  const expiresAt = expiryFrom(words, on);
  const isExpiring = expiresAt !== null && !words.includes('KEEPTTL');
  return effect(on, isExpiring ? ['set', 'expire'] : ['set'], () => on.model.setText(on.db, on.name, text, expiresAt));
}

function expiryFrom(words: readonly string[], { at, key }: On): number | null {
  const after = (word: string) => Number(words[words.indexOf(word) + 1]);
  if (words.includes('PX')) return at + after('PX') * 1000;
  if (words.includes('PXAT')) return after('PXAT') * 1000;
  if (words.includes('EX')) return at + after('EX') * 1_000_000;
  return words.includes('KEEPTTL') ? (key?.expiresAt ?? null) : null;
}

function setAll({ db, name, rest, model }: On): Effect {
  const all = pairs([name, ...rest]);
  return {
    events: all.map(([key]) => ({ key, event: 'set' })),
    commit: () => {
      for (const [key, text] of all) model.setText(db, key, text, null);
    },
  };
}

function addTo(on: On, difference: number): Effect {
  const before = on.key?.content.type === 'string' ? Number(on.key.content.text) : 0;
  return effect(on, ['incrby'], () => {
    on.model.make(on.db, on.name, 'string').text = String(before + difference);
  });
}

function deleteAll({ db, model }: On, names: readonly string[]): Effect {
  const found = [...new Set(names)].filter((name) => model.find(db, name));
  return {
    events: found.map((key) => ({ key, event: 'del' })),
    commit: () => {
      for (const name of found) model.delete(db, name);
    },
  };
}

function expire(on: On, ms: number): Effect {
  if (!on.key) return NOTHING;
  return changed(on, 'expire', (key) => {
    key.expiresAt = on.at + ms * 1000;
  });
}

function push(on: On, event: string): Effect {
  return effect(on, [event], () => {
    on.model.make(on.db, on.name, 'list').items.push(...on.rest);
  });
}

function removeFromList(on: On, event: string, left: (items: readonly string[]) => string[]): Effect {
  if (on.key?.content.type !== 'list') return NOTHING;
  const { items } = on.key.content;
  const rest = left(items);
  return rest.length === items.length
    ? NOTHING
    : shrink(on, event, rest.length === 0, () => items.splice(0, items.length, ...rest));
}

function scoreOf({ key }: On, member: string): number {
  return key?.content.type === 'zset' ? (key.content.scores.get(member) ?? 0) : 0;
}

function score(on: On, event: string, member: string, value: number): Effect {
  if (event === 'zadd' && on.key?.content.type === 'zset' && on.key.content.scores.get(member) === value)
    return NOTHING;
  return effect(on, [event], () => {
    on.model.make(on.db, on.name, 'zset').scores.set(member, value);
  });
}

/** After a ZADD, each of its members has its new score; the locks here never add a member twice. */
function addToSet(on: On): Effect {
  const [first = '', member = '', ...more] = on.rest;
  if (more.length === 0) return score(on, 'zadd', member, Number(first));
  return effect(on, ['zadd'], () => {
    const { scores } = on.model.make(on.db, on.name, 'zset');
    for (let n = 0; n < on.rest.length; n += 2) scores.set(on.rest[n + 1] ?? '', Number(on.rest[n]));
  });
}

/** `ZREMRANGEBYSCORE K -inf max` */
function membersUntil({ key, rest }: On): string[] {
  const { content } = key ?? {};
  if (content?.type !== 'zset') return [];
  return [...content.scores].flatMap(([member, value]) => (value <= Number(rest[1]) ? [member] : []));
}

function removeFromSet(on: On, event = 'zrem'): Effect {
  if (on.key?.content.type !== 'zset') return NOTHING;
  const { scores } = on.key.content;
  const removed = on.rest.filter((member) => scores.has(member));
  return removed.length === 0
    ? NOTHING
    : shrink(on, event, scores.size === removed.length, () => remove(scores, removed));
}

/** A change that deletes the key if the key is then empty. */
function shrink(on: On, event: string, isEmpty: boolean, commit: () => void): Effect {
  return effect(on, isEmpty ? [event, 'del'] : [event], () => (isEmpty ? on.model.delete(on.db, on.name) : commit()));
}

function changed(on: On, event: string, change: (key: Key) => void): Effect {
  return effect(on, [event], () => {
    if (on.key) change(on.key);
  });
}

function effect({ name }: On, events: readonly string[], commit: () => void): Effect {
  return { events: events.map((event) => ({ key: name, event })), commit };
}

function remove(from: Map<string, unknown>, names: readonly string[]): void {
  for (const name of names) from.delete(name);
}

function isText({ key }: On, text: string | undefined): boolean {
  return key?.content.type === 'string' && key.content.text === text;
}

function pairs(words: readonly string[]): (readonly [string, string])[] {
  return Array.from({ length: Math.floor(words.length / 2) }, (_, n) => [words[2 * n] ?? '', words[2 * n + 1] ?? '']);
}

function empty(type: Content['type']): Content {
  if (type === 'hash') return { type, fields: new Map() };
  if (type === 'list') return { type, items: [] };
  return type === 'zset' ? { type, scores: new Map() } : { type: 'string', text: '' };
}
