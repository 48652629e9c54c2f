/** The cookie by which the live channel of a Lockscope at this URL recognises a user who has logged in; empty: it sets none. */
export async function cookieOf(url: string, headers: Record<string, string> = {}): Promise<string> {
  const { headers: answered } = await fetch(`${url}/api/health`, { headers });
  return answered.getSetCookie()[0]?.split(';')[0] ?? '';
}
