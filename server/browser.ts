import open from 'open';

/** True when a person sits at a terminal with a screen. */
export function hasScreen(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const hasDisplay = process.platform === 'darwin' || process.platform === 'win32' || !!(DISPLAY || WAYLAND_DISPLAY);
  return process.stdout.isTTY === true && hasDisplay;
}

/** Opens the page; where that fails, the address on the terminal has to do. */
export async function openBrowser(url: string): Promise<void> {
  try {
    const browser = await open(url);
    browser.on('error', () => undefined);
  } catch {
    // No browser is no reason to stop: the ready line has been printed.
  }
}
