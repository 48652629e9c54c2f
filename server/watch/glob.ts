/** A Redis glob as a pattern over whole names: `*`, `?`, `[abc]`, `[^a]`, and `\` before what is meant as it stands. */
export function patternFromGlob(glob: string): RegExp {
  let source = '';
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at] ?? '';
    const close = char === '[' ? glob.indexOf(']', at + 2) : -1;
    if (char === '*') source += '.*';
    else if (char === '?') source += '.';
    else if (close > 0) {
      source += `[${glob.slice(at + 1, close).replace(/[\\\]]/g, '\\$&')}]`;
      at = close;
    } else {
      const isEscape = char === '\\' && at + 1 < glob.length;
      source += (isEscape ? (glob[++at] ?? '') : char).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    }
  }
  return new RegExp(`^${source}$`, 's');
}
