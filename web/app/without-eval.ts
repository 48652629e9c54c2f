import { config } from 'zod';

// The content security policy forbids eval, so zod must not use it. Import this file before any schema is created.
config({ jitless: true });
