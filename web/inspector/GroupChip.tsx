import { EVENTS } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** The group an event is of; a click shows its events alone. */
export function GroupChip({ id }: { id: string }) {
  const { groups } = useWords();
  return (
    <Link className="group-chip" to={{ ...EVENTS, group: id }} title={groups.showOnly(id)}>
      <span aria-hidden="true">⧉</span> {id}
    </Link>
  );
}
