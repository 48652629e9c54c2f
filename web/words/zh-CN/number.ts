const NUMBERS = new Intl.NumberFormat('zh-CN');

/** A number with its thousands separated; Chinese has no plural. */
export function number(n: number): string {
  return NUMBERS.format(n);
}
