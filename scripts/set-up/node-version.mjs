/** Ends the process with one line where Node is too old for this package. */
export function requireNode(major, minor) {
  const [thisMajor = 0, thisMinor = 0] = process.versions.node.split('.').map(Number);
  if (thisMajor > major || (thisMajor === major && thisMinor >= minor)) return;
  process.stderr.write(
    `lockscope: Node.js ${process.versions.node} is too old. Install ${major}.${minor} or newer: https://nodejs.org\n`,
  );
  process.exit(1);
}
