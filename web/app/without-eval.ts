import { config } from 'zod';

// The page's content policy forbids eval: schemas must not try it. Imported first, before any schema is made.
config({ jitless: true });
