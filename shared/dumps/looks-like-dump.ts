/** Whether the first characters of a file look like a dump of threads, and not like a recording. */
export function looksLikeDump(head: string): boolean {
  const isPrint = /Full thread dump |" - Thread t@\d|" #\d{1,16} [^\n]{0,300} tid=0x/.test(head);
  return isPrint || isFileText(head) || /"threadDump"\s{0,20}:|"threadName"\s{0,20}:/.test(head);
}

/** The first three lines of `jcmd Thread.dump_to_file`: process, instant, version. */
const FILE_HEAD = /^(\d{1,12})\n(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)\n([^\n]{1,100})\n/;

/** Whether a text begins as the text of `jcmd Thread.dump_to_file` does. */
export function isFileText(text: string): boolean {
  return fileHeadOf(text) !== null;
}

/** The instant and the version at the beginning of such a text; null: it has none. */
export function fileHeadOf(text: string): { readonly time: string; readonly version: string } | null {
  const [, , time, version] = FILE_HEAD.exec(text.slice(0, 400).replaceAll('\r', '').trimStart()) ?? [];
  return time === undefined || version === undefined ? null : { time, version };
}
