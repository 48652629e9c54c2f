const NUMBERS = new Intl.NumberFormat('en-US');

/** `1 lock`, `2 locks`, `1,240 locks`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${NUMBERS.format(n)} ${n === 1 ? one : many}`;
}
