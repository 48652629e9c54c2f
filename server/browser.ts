import open from 'open';

/** True if stdout is a terminal and this machine has a display. */
export function hasScreen(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const hasDisplay = process.platform === 'darwin' || process.platform === 'win32' || !!(DISPLAY || WAYLAND_DISPLAY);
  return process.stdout.isTTY === true && hasDisplay;
}

/** Opens the page in the default browser. A failure is ignored: the address is printed on the terminal as well. */
export async function openBrowser(url: string): Promise<void> {
  try {
    const browser = await open(url);
    browser.on('error', () => undefined);
  } catch {
    // Lockscope runs without a browser too.
  }
}
