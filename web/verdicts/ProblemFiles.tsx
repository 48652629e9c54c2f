import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { useLive } from '../data/live/use-live.ts';
import { problemRows } from '../share/file-rows.ts';
import { utcText } from '../share/markdown.ts';
import TableMenu from '../share/TableMenu.tsx';
import { useWords } from '../words/language.ts';
import { insightTexts } from './insight-texts.ts';

/** Saves or copies all listed problems. This code is loaded with the first problem. */
export default function ProblemFiles({ insights }: { insights: readonly WireInsight[] }) {
  const words = useWords();
  const names = useLive((state) => state.names);
  const take = () => problemRows(insights, (each) => insightTexts(each, words, names, utcText));
  return <TableMenu name={words.verdicts.title} take={take} />;
}
