import '../doctor/doctor.css';
import { useQuery } from '@tanstack/react-query';
import { redisTime } from '../../shared/base/time.ts';
import { problemFromError } from '../data/http/http.ts';
import { useIsOpenRecording, useLive } from '../data/live/use-live.ts';
import { useDoctor } from '../data/queries/doctor.ts';
import { DoctorSource } from '../doctor/DoctorSource.tsx';
import LevelPanel from '../health/LevelPanel.tsx';
import { ServerFigures } from '../health/ServerFigures.tsx';
import { NameText } from '../ui/NameText.tsx';
import { EmptyState, Notice } from '../ui/Notice.tsx';
import { secondsText } from '../ui/time-text.ts';
import { isWatchedElsewhere } from '../url/base-path.ts';
import { Link } from '../url/router.tsx';
import type { DoctorWords } from '../words/en/pages/doctor.ts';
import { type Loaders, language, languageOf, loadTexts, useWords } from '../words/language.ts';

const DOCTOR: Loaders<DoctorWords> = {
  en: async () => (await import('../words/en/pages/doctor.ts')).DOCTOR,
  'zh-CN': async () => (await import('../words/zh-CN/pages/doctor.ts')).DOCTOR,
};

/**
 * What endangers locks on the servers of all sources, or of one; the servers, and their levels. The texts are loaded
 * with the page.
 */
export default function HealthPage({ source }: { source: string | null }) {
  const words = useWords();
  const wanted = languageOf(language.get(), navigator.languages);
  const { data, error } = useQuery({
    queryKey: ['doctor-words', wanted],
    queryFn: () => loadTexts(wanted, DOCTOR),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <Notice tone="problem" title={problemFromError(error, words).message} />;
  if (!data) return <EmptyState title={words.frame.openingPage} />;
  return (
    <div className="page">
      <Examination source={source} doctor={data} />
      <Servers only={source} />
    </div>
  );
}

/** Each watched server with what it reports about itself, its level, and the levels to choose from. */
function Servers({ only }: { only: string | null }) {
  const { health } = useWords();
  const isRecording = useIsOpenRecording();
  const sources = useLive((state) => state.sources);
  if (isRecording) return null;
  return sources
    .filter(({ id }) => only === null || id === only)
    .map((source) => (
      <section key={source.id} className="panel health-server" aria-label={`${health.source}: ${source.id}`}>
        <h2>
          {health.source} <NameText text={source.url} most={80} />
        </h2>
        <ServerFigures source={source} isObserving={source.status === 'observing'} />
        <h2>{health.levelTitle}</h2>
        <LevelPanel source={source} onDone={() => undefined} />
      </section>
    ));
}

function Examination({ source, doctor }: { source: string | null; doctor: DoctorWords }) {
  const words = useWords();
  const { page } = doctor;
  const isRecording = useIsOpenRecording();
  const isExamined = !isRecording && !isWatchedElsewhere;
  const isKnown = useLive(({ sources }) => sources.length > 0);
  const { data, error, isFetching, refetch } = useDoctor(source, isKnown && isExamined);
  const failure = error ? problemFromError(error, words) : null;
  return (
    <>
      <header className="page-head">
        <h1 tabIndex={-1}>{page.title}</h1>
        {isExamined && (
          <button type="button" className="button" disabled={isFetching} onClick={() => void refetch()}>
            {page.again}
          </button>
        )}
        {source !== null && <Link to={{ page: 'doctor', source: null }}>{page.allSources}</Link>}
      </header>
      {!isExamined ? (
        <EmptyState title={isRecording ? page.needsServer : page.elsewhere}>
          <p>{isRecording ? page.needsServerHint : page.elsewhereHint}</p>
        </EmptyState>
      ) : (
        <p className="quiet">
          {page.about} {data && page.readAt(secondsText(redisTime(data.at)))}
        </p>
      )}
      {failure && (
        <Notice tone="problem" title={failure.message}>
          {failure.hint}
        </Notice>
      )}
      {isExamined && !data && !failure && <EmptyState title={page.examining} />}
      {data?.sources.map((report) => (
        <DoctorSource key={report.source} report={report} doctor={doctor} isOnly={data.sources.length === 1} />
      ))}
    </>
  );
}
