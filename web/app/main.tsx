// Style sheets in the order of the cascade: of two rules that are equally specific, the later one applies.
import '../styles/typeface.css';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/controls.css';
import '../styles/boxes.css';
import '../health/health.css';
import './frame.css';
import './find/find.css';
import './help.css';
import '../recordings/scrub.css';
import '../styles/tables.css';
import '../locks/lock-table.css';
import '../styles/tables-narrow.css';
import '../parts/marks.css';
import '../parts/lease.css';
import '../verdicts/verdicts.css';
import '../lock/lock.css';
import '../parts/groups.css';
import '../dumps/dumps.css';
import '../styles/pages.css';
import '../overview/overview.css';
import '../cursor/moment.css';
import '../styles/modes.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyDensity } from '../choices/density.ts';
import { applyTheme } from '../choices/theme.ts';
import { LiveStore } from '../data/live/live-store.ts';
import { LiveStoreContext } from '../data/live/use-live.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { hideToken } from '../url/router.tsx';
import { loadLanguage } from '../words/language.ts';
import { App } from './App.tsx';

hideToken();
applyTheme();
applyDensity();
const store = new LiveStore();
const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } });

/** Not a top-level await: the files with the words import from this module, and would wait for its end. */
async function start(): Promise<void> {
  await loadLanguage().catch(() => undefined); // if the catalogue cannot be loaded, the page stays in English
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary what="Lockscope">
        <QueryClientProvider client={queries}>
          <LiveStoreContext value={store}>
            <App />
          </LiveStoreContext>
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>,
  );
}

void start();
