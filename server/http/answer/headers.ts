import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import { parseAuthority } from '../guard/guard.ts';

/**
 * Security headers: resources from this server only (images also as `data:` URLs), no inline scripts or styles, not
 * inside a frame, no referrer.
 */
export function securityHeaders(): (req: IncomingMessage, res: ServerResponse, next: () => void) => void {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        // In older browsers 'self' does not include ws:// and wss://.
        connectSrc: ["'self'", (req) => liveChannels(parseAuthority(req.headers.host)?.authority ?? 'localhost')],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // With HSTS, browsers would refuse plain HTTP on every port of this host, also that of other programs.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
}

function liveChannels(authority: string): string {
  return `ws://${authority} wss://${authority}`;
}
