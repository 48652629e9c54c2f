import type { IncomingHttpHeaders } from 'node:http';

/** A cookie that a response sets. Scripts cannot read it, and other sites cannot cause it to be sent. */
export type SetCookie = {
  readonly name: string;
  readonly value: string;
  readonly maxAgeSeconds: number;
  /** Browsers send it over TLS only. */
  readonly isSecure: boolean;
  /** The cookie is sent to the path of Lockscope only, not to the whole host. */
  readonly isOwnPath: boolean;
};

/** The `Set-Cookie` of a cookie. `base`: the path of Lockscope, empty at the root. */
export function setCookieText({ name, value, maxAgeSeconds, isSecure, isOwnPath }: SetCookie, base: string): string {
  const path = isOwnPath && base !== '' ? base : '/';
  const rules = [`Max-Age=${maxAgeSeconds}`, `Path=${path}`, 'HttpOnly', 'SameSite=Strict'];
  return [`${name}=${value}`, ...rules, ...(isSecure ? ['Secure'] : [])].join('; ');
}

/** The value of a cookie that a request contains. */
export function cookieIn({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  for (const part of cookie.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
