/** Whether data can be exported to a URL: over HTTP or HTTPS, without user and password. */
export function isExportUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}
