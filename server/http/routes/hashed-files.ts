import { extname } from 'node:path';
import express, { type RequestHandler, Router } from 'express';

const YEAR_MS = 365 * 24 * 3600 * 1000;
/** The compressed copies that the build writes beside a file, smallest first: coding and ending. */
const COPIES = { br: '.br', gzip: '.gz' } as const;

/**
 * Serves a folder whose file names contain a hash of the content, so that no file ever changes. A browser gets the
 * smallest copy that it can read.
 */
export function hashedFiles(dir: string): Router {
  const router = Router();
  const caching = { immutable: true, maxAge: YEAR_MS, index: false } as const;
  router.use((_req, res, next) => {
    res.vary('Accept-Encoding');
    next();
  });
  for (const [coding, ending] of Object.entries(COPIES)) {
    const copies = express.static(dir, {
      ...caching,
      setHeaders(res, path) {
        res.setHeader('Content-Encoding', coding);
        res.type(extname(path.slice(0, -ending.length)));
      },
    });
    router.use(ifAccepted(coding, ending, copies));
  }
  router.use(express.static(dir, caching));
  return router;
}

/** Asks `copies` for the file with this ending, if the client accepts its coding. */
function ifAccepted(coding: string, ending: string, copies: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (!req.acceptsEncodings(coding)) return next();
    const { url } = req;
    req.url = url.replace(/(?=\?|$)/, ending);
    return copies(req, res, (error) => {
      req.url = url;
      next(error);
    });
  };
}
