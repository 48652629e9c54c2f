/** A word in quotes, as JSON writes it, or a string as Java or PHP serializes it: two bytes, or a number, are its length. */
const WRAPPED = /^"([^"\\]*)"$|^\\xac\\xed\0\x05t..(.*)$|^s:\d{1,3}:"(.*)";$/s;

/** The word that an application wrote, without what its serializer put around it: Spring's templates use one for all values. */
export function bareWord(value: string): string {
  const [, quoted, java, php] = WRAPPED.exec(value) ?? [];
  return quoted ?? java ?? php ?? value;
}
