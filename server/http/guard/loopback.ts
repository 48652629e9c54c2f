const FOUR_NUMBERS = /^127(?:\.\d{1,3}){3}$/;
const LAST_BIT_ONLY = /^(?:::|(?:0{1,4}:){7})0{0,3}1$/;

/** True for `localhost`, 127.0.0.0/8 and ::1, which only this machine can reach. `host` has no brackets and no port. */
export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === 'localhost' || FOUR_NUMBERS.test(host) || LAST_BIT_ONLY.test(host);
}

const ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}$/;

/** True for an IP address, which no name server can point elsewhere. `host` has no brackets and no port. */
export function isAddress(host: string): boolean {
  return host.includes(':') || ADDRESS.test(host);
}

/** The host as written in a URL: IPv6 in brackets. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
