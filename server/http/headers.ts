import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import { parseAuthority } from './guard.ts';

/** Headers that keep the page to itself: everything from here, no inline script, no frames, no referrer. */
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
        // Older browsers do not take 'self' for the socket.
        connectSrc: ["'self'", (req) => `ws://${parseAuthority(req.headers.host)?.authority ?? 'localhost'}`],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // We speak plain HTTP on loopback: promising TLS would lock people out.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
}
