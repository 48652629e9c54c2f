import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { Router } from 'express';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { HttpProblem } from '../problem.ts';
import { notThereYet } from './not-implemented.ts';

const YEAR_MS = 365 * 24 * 3600 * 1000;

/** Serves the built page: its files, and `index.html` for every other path that accepts HTML. */
export function pageRoutes(webDir: string): Router {
  const router = Router();
  router.get('/metrics', () => {
    throw notThereYet('metrics');
  });
  // File names in assets/ contain a hash of the content, so the files never change.
  router.use('/assets', express.static(join(webDir, 'assets'), { immutable: true, maxAge: YEAR_MS, index: false }));
  router.use('/assets', () => {
    throw unknownFile();
  });
  router.use(express.static(webDir, { index: false, cacheControl: false, dotfiles: 'ignore' }));
  router.get('/{*path}', (req, res, next) => {
    if (!req.accepts('html')) return next(unknownFile());
    const file = join(webDir, 'index.html');
    if (!existsSync(file)) {
      const text = 'The page of Lockscope is not built. Run "npm run build:web" and load this page again.\n';
      res.status(503).type('text/plain').send(text);
      return;
    }
    res.setHeader('Cache-Control', 'no-cache');
    res.type('html').send(pageUnder(req.baseUrl, readFileSync(file, 'utf8')));
  });
  router.use((_req, _res, next) => next(unknownFile()));
  return router;
}

/**
 * The page for a mount path (`/ops/locks`, or empty): its files are named relative to that path, and it finds the path in
 * `data-base`.
 */
function pageUnder(base: string, html: string): string {
  const path = base.replace(/[^\w/.~-]/g, encodeURIComponent);
  return html.replaceAll('="./', `="${path}/`).replace('data-base=""', `data-base="${path}"`);
}

function unknownFile(): HttpProblem {
  return new HttpProblem(404, problem('nothing-here'));
}
