import { parseArgs } from 'node:util';

export type Options = {
  /** Prints one line of JSON instead of a table. */
  readonly isJson: boolean;
  /** Compares with the recorded ratios. */
  readonly isCheck: boolean;
  /** Records the ratios. */
  readonly isRecord: boolean;
  /** The benches to run; empty: all. */
  readonly wanted: readonly string[];
};

/** The options of the command line. Throws an error with the reason if an option or a bench is unknown. */
export function optionsFrom(words: readonly string[], names: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { json: { type: 'boolean' }, check: { type: 'boolean' }, record: { type: 'boolean' } },
  });
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`There is no bench ${unknown.join(', ')}. Benches: ${names.join(', ')}.`);
  const { json = false, check = false, record = false } = values;
  return { isJson: json, isCheck: check, isRecord: record, wanted: positionals };
}
