import { useMemo } from 'react';
import { groupFromEvents } from '../../../shared/spans/group-from-events.ts';
import { GroupChip } from '../../parts/GroupChip.tsx';
import { NameText } from '../../ui/NameText.tsx';
import { useWords } from '../../words/language.ts';
import type { Track } from '../model/marks.ts';
import { useHistoryVersion, useWorkspace } from '../store/workspace.ts';

const MOST_NAMED = 6;

/** The multi lock or RedLock of the selected mark: `Member 2 of 3 of one multi lock: a, b, c.` */
export function GroupPart({ id, track }: { id: string; track: Track }) {
  const { common, groups: words } = useWords();
  const { timeline } = useWorkspace();
  const version = useHistoryVersion();
  const group = useMemo(() => {
    void version; // the window stays the same object when it changes
    return groupFromEvents(timeline.window.events, id);
  }, [timeline, id, version]);
  if (!group) return null;
  const isOverSeveral = new Set(group.members.map(({ source }) => source)).size > 1;
  const ids = group.members.map(({ source, db, name }) => `${source}/${db}/${name}`);
  const place = ids.indexOf(track.id) + 1;
  const named = group.members.slice(0, MOST_NAMED).map(({ source, name }) => {
    if (group.isRedLock) return source;
    return isOverSeveral ? `${name} (${source})` : name;
  });
  const more = group.members.length - MOST_NAMED;
  const names = named.join(', ') + (more > 0 ? ` ${common.andMore(more)}` : '');
  const end = group.end === undefined ? '' : ` ${words.end[group.end]}`;
  return (
    <span className="tl-group" title={words.inferred}>
      <NameText text={words.memberOf(place, ids.length, group.isRedLock, names)} most={300} />
      {end !== '' && <span className="quiet">{end}</span>} <GroupChip id={id} />
    </span>
  );
}
