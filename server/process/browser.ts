/** True if stdout is a terminal and this machine has a display. */
export function hasScreen(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const hasDisplay = process.platform === 'darwin' || process.platform === 'win32' || !!(DISPLAY || WAYLAND_DISPLAY);
  return process.stdout.isTTY === true && hasDisplay;
}

/** The address to open: `lockscope demo` begins on the page of the demo. A code lets the browser in once. */
export function pageToOpen(url: string, command: 'observe' | 'demo' | 'open', code?: string): string {
  const query = code === undefined ? '' : `?code=${code}`;
  return command === 'demo' ? `${url}/demo${query}` : query === '' ? url : `${url}/${query}`;
}

/** Opens the page in the default browser. A failure is ignored: the address is printed on the terminal as well. */
export async function openBrowser(url: string): Promise<void> {
  try {
    const { default: open } = await import('open'); // most starts open no browser
    const browser = await open(url);
    browser.on('error', () => undefined);
  } catch {
    // Lockscope runs without a browser too.
  }
}
