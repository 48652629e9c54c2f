import { useQuery } from '@tanstack/react-query';
import { lockNow, overviewNow } from '../cursor/routes-now.ts';
import { problemFromError } from '../data/http/http.ts';
import { useDemoCommand } from '../data/queries/demo-queries.ts';
import { usePressingProblems } from '../data/queries/insights.ts';
import { useHealth } from '../data/queries/queries.ts';
import { titleOf } from '../demo/scenario-text.ts';
import { SCENARIO_OF } from '../stage/script/scenario-of-incident.ts';
import { EmptyState, Notice } from '../ui/Notice.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { Link, navigate } from '../url/router.tsx';
import type { HelpWords } from '../words/en/help/all.ts';
import type { HelpText } from '../words/help-text.ts';
import { type Loaders, language, languageOf, loadTexts, useWords } from '../words/language.ts';

const PARTS = ['what', 'why', 'shows', 'prevent', 'now', 'versions'] as const;
const THEMES = ['lost', 'stuck', 'asleep', 'fair', 'contention', 'server', 'jvm'] as const;

/** How many open problems of one kind are listed. */
const MOST_LISTED = 20;
const NONE_DISMISSED: ReadonlySet<string> = new Set();

const HELP: Loaders<HelpWords> = {
  en: async () => (await import('../words/en/help/all.ts')).HELP,
  'zh-CN': async () => (await import('../words/zh-CN/help/all.ts')).HELP,
};

/** The help: all incidents by theme, or one of them. The texts are loaded with the page. */
export default function HelpPage({ incident }: { incident: string | null }) {
  const words = useWords();
  const wanted = languageOf(language.get(), navigator.languages);
  const { data, error } = useQuery({
    queryKey: ['help', wanted],
    queryFn: () => loadTexts(wanted, HELP),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <Notice tone="problem" title={problemFromError(error, words).message} />;
  if (!data) return <EmptyState title={words.frame.openingPage} />;
  return (
    <div className="page">
      {incident === null ? <List help={data} /> : <IncidentHelp help={data} incident={incident} />}
    </div>
  );
}

function List({ help: { page, themes } }: { help: HelpWords }) {
  const titles = useTitles();
  return (
    <>
      <h1 tabIndex={-1}>{page.title}</h1>
      {THEMES.map((theme) => (
        <section key={theme} className="panel">
          <h2>{page.theme[theme]}</h2>
          <ul>
            {Object.keys(themes[theme]).map((id) =>
              titles[id] === undefined ? null : (
                <li key={id}>
                  <Link to={{ page: 'incident-help', incident: id }}>{titles[id]}</Link>
                </li>
              ),
            )}
          </ul>
        </section>
      ))}
    </>
  );
}

function IncidentHelp({ help: { page, themes }, incident }: { help: HelpWords; incident: string }) {
  const title = useTitles()[incident];
  const text = THEMES.map((theme) => (themes[theme] as Readonly<Record<string, HelpText>>)[incident]).find(Boolean);
  return (
    <>
      <p>
        <Link to={{ page: 'incident-help', incident: null }}>{page.all}</Link> ·{' '}
        <Link to={overviewNow()}>{page.toLocks}</Link>
      </p>
      <h1 tabIndex={-1}>{title !== undefined && text ? title : page.unknown}</h1>
      <OpenNow page={page} incident={incident} />
      {title !== undefined && text && (
        <article className="panel problem-help">
          {PARTS.map((part) =>
            text[part] === undefined ? null : (
              <section key={part}>
                <h2>{page.part[part]}</h2>
                <p>{text[part]}</p>
              </section>
            ),
          )}
          <ShowScenario page={page} incident={incident} />
        </article>
      )}
    </>
  );
}

/** The locks or servers that have this problem now, so that the user finds the way back to them. */
function OpenNow({ page, incident }: { page: HelpWords['page']; incident: string }) {
  const open = usePressingProblems(NONE_DISMISSED)?.filter((each) => each.incident === incident) ?? [];
  if (open.length === 0) return null;
  return (
    <section className="panel">
      <h2>{page.open}</h2>
      <ul>
        {open.slice(0, MOST_LISTED).map(({ id, lock, source, db }) => (
          <li key={id}>
            {lock === undefined || db === undefined ? (
              source
            ) : (
              <Link to={lockNow({ name: lock, source, db })}>{visibleText(lock)}</Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A button that starts the scenario of an incident. Outside the demo, the command that starts the demo. */
function ShowScenario({ page, incident }: { page: HelpWords['page']; incident: string }) {
  const { stage } = useWords();
  const { data: isDemo } = useHealth(({ demo }) => demo === true);
  const command = useDemoCommand();
  const id = SCENARIO_OF[incident];
  if (id === undefined || isDemo === undefined) return null;
  const name = titleOf({ id, title: id, summary: '' }, stage);
  if (!isDemo) {
    return (
      <p>
        {page.start} <code>lockscope demo</code> {page.choose} <b>{name}</b>.
      </p>
    );
  }
  const open = () => command.mutate({ do: 'start-scenario', id }, { onSuccess: () => navigate({ page: 'demo' }) });
  return (
    <p>
      <button type="button" className="button is-primary" disabled={command.isPending} onClick={open}>
        {page.see}
      </button>{' '}
      <span className="quiet">
        {page.seeHint} {name}
      </span>
    </p>
  );
}

/** The titles of the incidents that the product reports. */
function useTitles(): Readonly<Partial<Record<string, string>>> {
  return Object.fromEntries(Object.entries(useWords().insights).map(([id, { title }]) => [id, title]));
}
