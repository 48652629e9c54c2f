/*
 * The text of a mail as it is sent, in a file with the end `.eml` or a view of the source:
 *
 *   Content-Transfer-Encoding: quoted-printable
 *
 *   "worker-1" #31 prio=3D5 os_prio=3D0 cpu=3D1.20ms elapsed=3D90.10s tid=3D0x0000=
 *   7f000000001f nid=3D0x2a waiting for monitor entry
 */

const ENCODING = /^Content-Transfer-Encoding:\s{0,9}([\w-]{1,40})/i;
const PRINTABLE = /^Content-Transfer-Encoding:\s{0,9}quoted-printable|(?<=\bprio)=3D\d/im;

/** Whether a text is quoted-printable: the head of the mail shows it, or an `=` that is always there in a dump. */
export function isQuotedPrintable(text: string): boolean {
  return PRINTABLE.test(text);
}

/** The encoding that a line in the head of a mail names, for example `base64`; undefined for another line. */
export function encodingIn(line: string): string | undefined {
  return ENCODING.exec(line)?.[1]?.toLowerCase();
}

/** Decodes quoted-printable. A line that ends with `=` goes on in the next one. */
export function withoutQuotedPrintable(text: string): string {
  return text.replace(/=[ \t]{0,80}\r?\n/g, '').replace(/(?:=[\dA-F]{2})+/g, (codes) => {
    const bytes = codes.slice(1).split('=');
    return new TextDecoder().decode(Uint8Array.from(bytes, (hex) => Number.parseInt(hex, 16)));
  });
}
