/** Joins the sentences that apply. */
export function sentences(...all: readonly (string | false)[]): string {
  return all.filter((sentence) => sentence !== false).join(' ');
}
