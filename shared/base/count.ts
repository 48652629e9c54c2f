/** A number and its noun: `1 lock`, `2 locks`. `plural`: needed if it is not the singular with an s. */
export function count(n: number, singular: string, plural = `${singular}s`): string {
  return `${n} ${n === 1 ? singular : plural}`;
}
