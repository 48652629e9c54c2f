const NUMBERS = new Intl.NumberFormat('en-US');

/** `1 lock`, `2 locks`, `1,240 locks`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${NUMBERS.format(n)} ${n === 1 ? one : many}`;
}

/** `about 3 %`, `less than 0.1 %`, of a share as the page formats it: `3`, `< 0.1`. */
export function aboutPercent(percent: string): string {
  return `about ${percent} %`.replace('about < ', 'less than ');
}
