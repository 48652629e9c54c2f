import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import { parseAuthority } from './guard.ts';

/** Security headers: resources from this server only, no inline script, no frames, no referrer. */
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
        // In older browsers 'self' does not include ws://.
        connectSrc: ["'self'", (req) => `ws://${parseAuthority(req.headers.host)?.authority ?? 'localhost'}`],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // We serve plain HTTP on loopback: with HSTS, browsers would refuse it.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
}
