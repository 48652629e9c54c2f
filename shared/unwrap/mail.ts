import { TextBytes } from './text-bytes.ts';

/*
 * The text of a mail as it is sent, from an `.eml` file or a view of the source:
 *
 *   Content-Type: multipart/alternative; boundary="b1"
 *
 *   --b1
 *   Content-Type: text/plain
 *   Content-Transfer-Encoding: quoted-printable
 *
 *   "worker-1" #31 prio=3D5 os_prio=3D0 cpu=3D1.20ms elapsed=3D90.10s tid=3D0x0000=
 *   7f000000001f nid=3D0x2a waiting for monitor entry
 *   --b1
 *   Content-Type: text/html                                          the same text again: left out
 */

const ENCODING = /^Content-Transfer-Encoding:\s{0,9}([\w-]{1,40})/i;
const TYPE = /^Content-Type:\s{0,9}([\w-]{1,40}\/[\w.+-]{1,80})/i;
const BOUNDARY = /^(?:Content-Type:.{1,200};|[ \t]{1,9}).{0,200}\bboundary="?([^";\s]{1,100})"?/i;
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;
const SOFT = /=[ \t]{0,80}$/;

const MOST_ENCODED = 500;
/** The greatest length of a line that continues in several lines. */
const LONGEST_SOFT = 1024 * 1024;

/** Takes a mail line by line, and decodes its text. */
export class MailLines {
  /** Whether something was decoded or left out. */
  isMail = false;
  readonly #boundaries = new Set<string>();
  #isAlternative = false;
  #hasPlain = false;
  /** Whether the lines belong to the head of the mail or of a part of it. */
  #isHead = false;
  #isLeftOut = false;
  #encoding = '';
  /** A line that continues in the next one. */
  #soft = '';
  /** Lines of base64 that are decoded together. */
  #encoded: string[] = [];
  #bytes: TextBytes | undefined;
  /** The last line that was decoded, which may continue. */
  #rest = '';

  take(line: string): readonly string[] {
    if (line.startsWith('--') && this.#boundaries.has(line.trim().slice(2).replace(/--$/, ''))) {
      const rest = this.end();
      [this.#encoding, this.#isLeftOut, this.#isHead] = ['', false, true];
      return rest;
    }
    if (/^[Cc \t]/.test(line)) this.#readHead(line);
    if (this.#isLeftOut) return [];
    if (this.#isHead) {
      this.#isHead = line.trim() !== '';
      return [line];
    }
    if (this.#encoding === 'quoted-printable') return this.#printable(line);
    return this.#encoding === 'base64' ? this.#base64(line.trim()) : [line];
  }

  /** Call it at the end of a part or of the mail. Returns the rest. */
  end(): readonly string[] {
    const lines = this.#decoded();
    const rest = this.#rest + (this.#bytes?.end() ?? '') + withoutQuotedPrintable(this.#soft);
    [this.#rest, this.#soft, this.#bytes] = ['', '', undefined];
    return rest === '' ? lines : [...lines, ...rest.split('\n')];
  }

  #readHead(line: string): void {
    const boundary = BOUNDARY.exec(line)?.[1];
    if (boundary !== undefined) this.#boundaries.add(boundary);
    const encoding = ENCODING.exec(line)?.[1];
    if (encoding !== undefined) [this.#encoding, this.#isHead] = [encoding.toLowerCase(), true];
    const type = TYPE.exec(line)?.[1]?.toLowerCase();
    if (type === undefined) return;
    this.#isHead = true;
    this.#isAlternative ||= type === 'multipart/alternative';
    this.#hasPlain ||= type === 'text/plain';
    this.#isLeftOut = type === 'text/html' && this.#isAlternative && this.#hasPlain;
    this.isMail ||= this.#isLeftOut;
  }

  #printable(line: string): readonly string[] {
    const text = this.#soft + line;
    const isOpen = SOFT.test(text) && text.length < LONGEST_SOFT;
    this.#soft = isOpen ? text.replace(SOFT, '') : '';
    this.isMail = true;
    return isOpen ? [] : [withoutQuotedPrintable(text)];
  }

  #base64(line: string): readonly string[] {
    if (line === '') return [];
    if (!BASE64.test(line)) {
      this.#encoding = '';
      return [...this.end(), line];
    }
    this.isMail = true;
    this.#encoded.push(line);
    return this.#encoded.length < MOST_ENCODED ? [] : this.#decoded();
  }

  #decoded(): readonly string[] {
    if (this.#encoded.length === 0) return [];
    this.#bytes ??= new TextBytes();
    const lines = (this.#rest + this.#bytes.add(bytesOf(this.#encoded.splice(0)))).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines;
  }
}

function bytesOf(encoded: readonly string[]): Uint8Array {
  const parts = encoded.map((line) => atob(line)); // each ends on its own: some programs pad each line
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) for (let n = 0; n < part.length; n++) bytes[at++] = part.charCodeAt(n);
  return bytes;
}

/** Decodes quoted-printable. A line that ends with `=` continues in the next one. */
export function withoutQuotedPrintable(text: string): string {
  return text.replace(/=[ \t]{0,80}\r?\n/g, '').replace(/(?:=[\dA-F]{2})+/g, (codes) => {
    const bytes = codes.slice(1).split('=');
    return new TextDecoder().decode(Uint8Array.from(bytes, (hex) => Number.parseInt(hex, 16)));
  });
}
