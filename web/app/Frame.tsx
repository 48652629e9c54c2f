import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useHealth } from '../data/queries.ts';
import { EVENTS, OVERVIEW, type Route, TIMELINE } from '../url/route.ts';
import { Link, navigate } from '../url/router.tsx';
import { FindBox } from './FindBox.tsx';
import { HealthStrip } from './HealthStrip.tsx';
import { HelpDialog } from './HelpDialog.tsx';
import { actionFromKey } from './key-map.ts';
import { Problems } from './Problems.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';
import type { ConnectionProblem } from './use-connection.ts';

/** Pages whose one long table fills the window. */
const FILLING: readonly Route['page'][] = ['overview', 'timeline', 'events'];

type FrameProps = { route: Route; problem: ConnectionProblem | null; children: ReactNode };

/** What stands around every page: brand, pages, find box, theme, help, health strip, problems. */
export function Frame({ route, problem, children }: FrameProps) {
  const isDemo = useHealth().data?.demo === true;
  const [isHelpOpen, setHelpOpen] = useState(false);
  const find = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const action = actionFromKey(event);
      if (action === null) return;
      if (action === 'page-4' && !isDemo) return;
      event.preventDefault();
      if (action === 'find') find.current?.focus();
      else if (action === 'help') setHelpOpen((isOpen) => !isOpen);
      else if (action === 'page-1') navigate(OVERVIEW);
      else if (action === 'page-2') navigate(TIMELINE);
      else if (action === 'page-3') navigate(EVENTS);
      else navigate({ page: 'demo' });
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isDemo]);

  const pages: { to: Route; title: string; isHere: boolean }[] = [
    { to: OVERVIEW, title: 'Overview', isHere: route.page === 'overview' },
    { to: TIMELINE, title: 'Timeline', isHere: route.page === 'timeline' },
    { to: EVENTS, title: 'Events', isHere: route.page === 'events' },
  ];
  if (isDemo) pages.push({ to: { page: 'demo' }, title: 'Demo', isHere: route.page === 'demo' });

  return (
    <div className={FILLING.includes(route.page) ? 'frame is-filling' : 'frame'}>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <header className="frame-head">
        <Link to={OVERVIEW} className="brand">
          <span aria-hidden="true">◈</span> Lockscope
        </Link>
        <nav aria-label="Pages">
          {pages.map(({ to, title, isHere }) => (
            <Link key={title} to={to} aria-current={isHere ? 'page' : undefined}>
              {title}
            </Link>
          ))}
        </nav>
        <FindBox route={route} ref={find} />
        <ThemeSwitch />
        <button type="button" className="button is-quiet" aria-label="Help: keys" onClick={() => setHelpOpen(true)}>
          ?
        </button>
      </header>
      <HealthStrip />
      <Problems problem={problem} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      {isHelpOpen && <HelpDialog onClose={() => setHelpOpen(false)} />}
    </div>
  );
}
