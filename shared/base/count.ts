/** A number and its noun: `1 lock`, `2 locks`. `many`: the plural, if it is not the singular with an s. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
