/** 连接适用的句子。 */
export function joined(...all: readonly (string | false)[]): string {
  return all.filter((sentence) => sentence !== false).join('');
}
