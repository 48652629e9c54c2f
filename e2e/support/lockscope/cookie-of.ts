/** The cookie by which Lockscope's live channel at this URL recognises a logged-in user; empty if it sets none. */
export async function cookieOf(url: string, headers: Record<string, string> = {}): Promise<string> {
  const { headers: answered } = await fetch(`${url}/api/health`, { headers });
  return answered.getSetCookie()[0]?.split(';')[0] ?? '';
}
