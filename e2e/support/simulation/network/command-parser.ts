/** Reads commands as Lockscope sends them: lists of texts. A write always has whole commands. */
export class CommandParser {
  /** The commands in these bytes; each word has one character per byte. */
  parse(bytes: Buffer): string[][] {
    const text = bytes.toString('latin1');
    const commands: string[][] = [];
    let at = 0;
    const number = (sign: string) => {
      if (text[at] !== sign) throw new Error(`not a command: ${text.slice(at, at + 40)}`);
      const end = text.indexOf('\r\n', at);
      const found = Number(text.slice(at + 1, end));
      at = end + 2;
      return found;
    };
    while (at < text.length) {
      const words: string[] = [];
      for (let left = number('*'); left > 0; left--) {
        const length = number('$');
        words.push(text.slice(at, at + length));
        at += length + 2;
      }
      commands.push(words);
    }
    return commands;
  }
}
