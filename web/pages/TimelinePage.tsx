import '../timeline/timeline.css';
import '../timeline/timeline-plot.css';
import '../timeline/timeline-side.css';
import { Timeline } from '../timeline/Timeline.tsx';
import type { TimelineRoute } from '../url/route.ts';
import { useWords } from '../words/language.ts';

export default function TimelinePage({ route }: { route: TimelineRoute }) {
  return (
    <div className="page is-filling tl-page">
      <h1 className="only-heard" tabIndex={-1}>
        {useWords().frame.page.timeline}
      </h1>
      <Timeline route={route} />
    </div>
  );
}
