const NUMBERS = new Intl.NumberFormat('zh-CN');

/** A number with thousands separators. Chinese has no plural. */
export function number(n: number): string {
  return NUMBERS.format(n);
}

/** 时长及其后的文字：汉字之间没有空格（`34 秒内`），字母之后有（`850 ms 内`）。 */
export function withAfter(length: string, after: string): string {
  return /[a-zµ]$/i.test(length) ? `${length} ${after}` : `${length}${after}`;
}
