const NUMBERS = new Intl.NumberFormat('zh-CN');

/** A number with thousands separators. Chinese has no plural. */
export function number(n: number): string {
  return NUMBERS.format(n);
}
