import type { Sliced } from './in-slices.ts';

/** Elements of a list that are written at once. */
const STEP = 200;

/** The JSON of an object, with no long stretch of work: its lists are written piece by piece. */
export function* jsonInSlices(body: Readonly<Record<string, unknown>>): Sliced<string> {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    fields.push(`${JSON.stringify(name)}:${Array.isArray(value) ? yield* jsonOfList(value) : JSON.stringify(value)}`);
  }
  return `{${fields.join(',')}}`;
}

function* jsonOfList(list: readonly unknown[]): Sliced<string> {
  const parts: string[] = [];
  for (let from = 0; from < list.length; from += STEP) {
    parts.push(JSON.stringify(list.slice(from, from + STEP)).slice(1, -1));
    yield;
  }
  return `[${parts.join(',')}]`;
}
