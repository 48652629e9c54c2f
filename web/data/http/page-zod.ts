/*
 * The part of zod that the page uses, in 2 kB instead of 28. The build of the page puts it in the place of zod, so that
 * the schemas of `shared/wire` are the only ones. `page-zod.test.ts` compares both with every schema. It evaluates no
 * code, because the content security policy of the page forbids that.
 */

/** A value does not match: the path to the first part that does not. `isSoft`: it has the right type, but a check fails. */
class Fault {
  constructor(
    readonly path: readonly PropertyKey[],
    readonly isSoft = false,
  ) {}
}

/** Returns the value that a schema makes of another one, or a `Fault`. */
type Read = (value: unknown) => unknown;
type Shape = Readonly<Record<string, Schema>>;
type Parsed =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly { path: readonly PropertyKey[] }[] } };

const HERE = new Fault([]);

class Schema {
  constructor(
    readonly read: Read,
    readonly shape: Shape = {},
    readonly isLoose = false,
  ) {}

  safeParse(value: unknown): Parsed {
    const data = this.read(value);
    if (!(data instanceof Fault)) return { success: true, data };
    return { success: false, error: { issues: [{ path: data.path }] } };
  }

  optional(): Schema {
    return new Schema((value) => (value === undefined ? undefined : this.read(value)));
  }

  nullable(): Schema {
    return new Schema((value) => (value === null ? null : this.read(value)));
  }

  default(usual: unknown): Schema {
    return new Schema((value) => (value === undefined ? usual : this.read(value)));
  }

  min(least: number): Schema {
    return this.refine((value) => sizeOf(value) >= least);
  }

  max(most: number): Schema {
    return this.refine((value) => sizeOf(value) <= most);
  }

  int(): Schema {
    return this.#then((value) => (Number.isSafeInteger(value) ? value : HERE));
  }

  exclude(choices: readonly unknown[]): Schema {
    return this.#then((value) => (choices.includes(value) ? HERE : value));
  }

  refine(isRight: (value: never) => boolean, { path = [] }: { readonly path?: readonly PropertyKey[] } = {}): Schema {
    const check = (value: unknown) => (isRight(value as never) ? value : new Fault(path, true)); // it was read by this schema
    return this.#then(check);
  }

  transform(make: (value: never) => unknown): Schema {
    return this.#then((value) => make(value as never)); // it was read by this schema
  }

  pipe(next: Schema): Schema {
    return this.#then(next.read);
  }

  readonly(): Schema {
    return this.#then(Object.freeze);
  }

  describe(): Schema {
    return this;
  }

  meta(): Schema {
    return this;
  }

  extend(shape: Shape): Schema {
    return objectOf({ ...this.shape, ...shape }, this.isLoose);
  }

  pick(wanted: Readonly<Record<string, true>>): Schema {
    return objectOf(Object.fromEntries(Object.entries(this.shape).filter(([key]) => wanted[key])), this.isLoose);
  }

  #then(next: Read): Schema {
    return new Schema((value) => {
      const read = this.read(value);
      return read instanceof Fault ? read : next(read);
    });
  }
}

function sizeOf(value: unknown): number {
  return typeof value === 'number' ? value : (value as { length: number }).length; // only numbers, texts and lists
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function only(isRight: (value: unknown) => boolean): Schema {
  return new Schema((value) => (isRight(value) ? value : HERE));
}

/** Reads parts into `into`. Returns a `Fault` with the path to the first part that does not match. */
function partsInto<T extends object>(into: T, parts: Iterable<readonly [key: string | number, Schema]>, from: object) {
  let first: Fault | undefined;
  for (const [key, schema] of parts) {
    const value = schema.read((from as Record<PropertyKey, unknown>)[key]);
    if (value instanceof Fault) {
      first = new Fault(first?.path ?? [key, ...value.path], value.isSoft && (first?.isSoft ?? true));
      continue;
    }
    // an absent part stays absent
    if (value !== undefined || key in from) (into as Record<PropertyKey, unknown>)[key] = value;
  }
  return first ?? into;
}

function objectOf(shape: Shape, isLoose: boolean): Schema {
  const parts = Object.entries(shape);
  const read: Read = (value) => (isRecord(value) ? partsInto(isLoose ? { ...value } : {}, parts, value) : HERE);
  return new Schema(read, shape, isLoose);
}

/** Options of a union that are told apart by the field `by`. */
function optionWith(by: string, options: readonly Schema[], value: Readonly<Record<string, unknown>>) {
  return options.find((option) => !(option.shape[by]?.read(value[by]) instanceof Fault));
}

export const z = {
  string: () => only((value) => typeof value === 'string'),
  number: () => only(Number.isFinite),
  boolean: () => only((value) => typeof value === 'boolean'),
  null: () => only((value) => value === null),
  unknown: () => only(() => true),
  literal: (wanted: unknown) => only((value) => value === wanted),
  enum: (choices: readonly string[]) => only((value) => choices.includes(value as string)),
  object: (shape: Shape) => objectOf(shape, false),
  looseObject: (shape: Shape) => objectOf(shape, true),
  /** Only these fields. */
  strictObject: (shape: Shape) => {
    const { read } = objectOf(shape, false);
    const hasOthers = (value: unknown) =>
      isRecord(value) && Object.keys(value).some((key) => !Object.hasOwn(shape, key));
    return new Schema((value) => {
      const found = read(value);
      return found instanceof Fault || !hasOthers(value) ? found : new Fault([], true);
    }, shape);
  },
  array: (item: Schema) =>
    new Schema((value) => {
      if (!Array.isArray(value)) return HERE;
      return partsInto(
        [],
        value.map((_, at) => [at, item] as const),
        value,
      );
    }),
  tuple: (items: readonly Schema[]) =>
    new Schema((value) => {
      if (!Array.isArray(value) || value.length !== items.length) return HERE;
      return partsInto([], items.entries(), value);
    }),
  record: (_key: Schema, item: Schema) =>
    new Schema((value) => {
      if (!isRecord(value)) return HERE;
      return partsInto(
        {},
        Object.keys(value).map((key) => [key, item] as const),
        value,
      );
    }),
  union: (options: readonly Schema[]) =>
    new Schema((value) => {
      const soft: Fault[] = [];
      for (const option of options) {
        const read = option.read(value);
        if (!(read instanceof Fault)) return read;
        if (read.isSoft) soft.push(read);
      }
      return soft.length === 1 ? soft[0] : HERE; // the only option of the right type
    }),
  discriminatedUnion: (by: string, options: readonly Schema[]) =>
    new Schema((value) => (isRecord(value) ? (optionWith(by, options, value)?.read(value) ?? new Fault([by])) : HERE)),
  coerce: { number: () => new Schema((value) => (Number.isFinite(Number(value)) ? Number(value) : HERE)) },
};
