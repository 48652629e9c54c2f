/** A text, or a function that writes one. */
type Text = string | readonly unknown[] | ((...values: never[]) => unknown);

/** The texts of `T` in another language. Each of them may be absent: English replaces it. */
export type Translated<T> = T extends Text ? T : { readonly [K in keyof T]?: Translated<T[K]> };

type Texts = { readonly [key: string]: unknown };

/** Returns the texts of a translation, and the English one for each that is absent. */
export function withEnglish<T extends object>(english: T, translated: NoInfer<Translated<T>>): T {
  return merged(english, translated) as T; // the merged texts have every key of `english`
}

function merged(english: object, translated: object): object {
  const own = Object.entries(translated).map(([key, text]) => {
    const original = (english as Texts)[key];
    return [key, isGroup(original) && isGroup(text) ? merged(original, text) : text];
  });
  return { ...english, ...Object.fromEntries(own) };
}

/** An English text that a translation lacks: its path, such as `overview.column.held`, and what it says. */
export type MissingText = { readonly path: string; readonly english: string };

/** Returns each English text that is absent from a translation. */
export function missingIn(english: object, translated: object, path = ''): MissingText[] {
  return Object.entries(english).flatMap(([key, text]) => {
    const own = (translated as Texts)[key];
    if (isGroup(text)) return missingIn(text, isGroup(own) ? own : {}, `${path}${key}.`);
    return own === undefined ? [{ path: `${path}${key}`, english: String(text) }] : [];
  });
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
