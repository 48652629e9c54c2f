import { redactUrl } from '../../shared/base/redis-url.ts';
import { fail, ok, type Result } from '../../shared/base/result.ts';
import { parseWatchUrl } from '../../shared/base/topology-url.ts';

/** Why the process exits at once: one line for the user, and the exit code. */
export type Refusal = { readonly exitCode: 1 | 2; readonly message: string };

/** Checks a URL and returns it without user and password. */
export function checkUrl(text: string): Result<string, Refusal> {
  if (!text.includes('://') && !/[@:.]/.test(text)) {
    return wrongUsage(`"${redactUrl(text)}" is neither a command nor a Redis URL. "lockscope --help" lists both.`);
  }
  const url = parseWatchUrl(text);
  if (url.ok) return ok(url.value.displayUrl);
  const mayBeFile = !text.includes('://') && !/@|:\d{1,5}$/.test(text);
  return wrongUsage(mayBeFile ? `${url.error} To open a file, use "lockscope open FILE".` : url.error);
}

/** Checks URLs and returns them as they were given. Of URLs that differ only in their login, returns the last one. */
export function checkUrls(urls: readonly string[]): Result<readonly string[], Refusal> {
  const byDisplay = new Map<string, string>();
  for (const url of urls) {
    const checked = checkUrl(url);
    if (!checked.ok) return checked;
    byDisplay.set(checked.value, url);
  }
  return ok([...byDisplay.values()]);
}

export function wrongUsage(message: string): Result<never, Refusal> {
  return fail({ exitCode: 2, message });
}
