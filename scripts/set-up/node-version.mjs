/** Exits with one line if Node is older than this version. */
export function requireNode(major, minor) {
  const [thisMajor = 0, thisMinor = 0] = process.versions.node.split('.').map(Number);
  if (thisMajor > major || (thisMajor === major && thisMinor >= minor)) return;
  process.stderr.write(
    `lockscope: Node.js ${process.versions.node} is too old. Install ${major}.${minor} or newer: https://nodejs.org\n`,
  );
  process.exit(1);
}
