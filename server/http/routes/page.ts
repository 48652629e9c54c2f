import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { Router } from 'express';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { HttpProblem } from '../problems/problem.ts';
import { hashedFiles } from './hashed-files.ts';

/**
 * What the pages belong to, if not to a whole Lockscope: to a viewer itself, a recording, or one source of a viewer.
 * `path`: where the pages are within their Lockscope, `/recordings/ID` or `/sources/NAME`.
 */
export type PagesOf =
  | { readonly of: 'fleet' }
  | { readonly of: 'recording'; readonly path: string }
  | { readonly of: 'source'; readonly path: string };

/** The API of a recording or source that does not exist: a program would take a page for its response. */
const NOT_A_PAGE = /^\/(?:recordings|sources)\/[^/]+\/(?:api|metrics|socket\.io)(?:\/|$)/i;

/** Serves the built page: its files, and `index.html` for every other path that accepts HTML. */
export function pageRoutes(webDir: string, part?: PagesOf): Router {
  const router = Router();
  router.use('/assets', hashedFiles(join(webDir, 'assets')));
  router.use('/assets', () => {
    throw unknownFile();
  });
  router.use(express.static(webDir, { index: false, redirect: false, cacheControl: false, dotfiles: 'ignore' }));
  router.get('/{*path}', (req, res, next) => {
    if (!req.accepts('html') || NOT_A_PAGE.test(req.path)) return next(unknownFile());
    const file = join(webDir, 'index.html');
    if (!existsSync(file)) {
      const text = 'The page of Lockscope is not built. Run "npm run build:web" and load this page again.\n';
      res.status(503).type('text/plain').send(text);
      return;
    }
    res.setHeader('Cache-Control', 'no-cache');
    res.type('html').send(pageUnder(req.baseUrl, readFileSync(file, 'utf8'), part));
  });
  router.use((_req, _res, next) => next(unknownFile()));
  return router;
}

/**
 * The page for a mount path (`/ops/locks`, or empty). `data-base` has this path. In a recording, `data-home` has the
 * path of the Lockscope that serves the recording and the page's files. In a viewer, `data-fleet` has the path of the
 * viewer.
 */
function pageUnder(base: string, html: string, part: PagesOf | undefined): string {
  const path = base.replace(/[^\w/.~-]/g, encodeURIComponent);
  const inHome = part && 'path' in part ? part.path : '';
  const home = path.slice(0, path.length - inHome.length);
  const isOfViewer = part?.of === 'fleet' || part?.of === 'source';
  return html
    .replaceAll('="./', `="${home}/`)
    .replace('data-base=""', `data-base="${path}"`)
    .replace('data-home=""', `data-home="${isOfViewer ? path : home}"`)
    .replace('data-fleet=""', `data-fleet="${isOfViewer ? `${home}/` : ''}"`);
}

function unknownFile(): HttpProblem {
  return new HttpProblem(404, problem('nothing-here'));
}
