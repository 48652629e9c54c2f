import { useWords } from '../../words/language.ts';
import { useStageView } from '../playback/use-stage.ts';
import { heldIn, majorityOf, type StageGroup } from '../script/groups.ts';
import { isReportedGroup } from '../script/reported-groups.ts';

const SIGN = { held: '●', refused: '✕', 'rolled-back': '↩', released: '◇', 'never-held': '–', lost: '✕' } as const;

/** The multi lock or RedLock on the stage: its thread, its progress, and whether it is inferred or reported. */
export function GroupHead() {
  const { picture, storyboard } = useStageView();
  const words = useWords().several.group;
  const { group } = picture;
  if (!group) return null;
  const { locks, servers } = storyboard.run;
  const of = locks.length;
  const have = heldIn(group);
  const isMajority = servers.length > 0 && have >= majorityOf(of);
  return (
    <p className="stage-group">
      <strong>{servers.length > 0 ? words.redLock(group.who) : words.multiLock(group.who)}</strong>{' '}
      {stateText(group, have, of, isMajority, words)}
      <span className="stage-inferred">{isReportedGroup(group.id) ? words.reported : words.inferred}</span>
    </p>
  );
}

type GroupWords = ReturnType<typeof useWords>['several']['group'];

function stateText(group: StageGroup, have: number, of: number, isMajority: boolean, words: GroupWords): string {
  if (have > 0) return words.has(String(have), String(of), isMajority);
  return group.end === null ? words.hasNone : words.ends[group.end];
}

/** The state of one lock in the group. */
export function MemberTag({ lock, isDown }: { lock: string; isDown: boolean }) {
  const { group } = useStageView().picture;
  const words = useWords().several.group;
  if (!group) return null;
  const state = group.members.get(lock);
  // the server is down, so it is not known whether the lock was attempted
  if (isDown && state === undefined) return null;
  return (
    <p className={`stage-member is-${state ?? 'unasked'}`}>
      <span aria-hidden="true">{state === undefined ? '·' : SIGN[state]}</span>{' '}
      {state === undefined ? words.unasked(group.who) : words.members[state](group.who)}
    </p>
  );
}
