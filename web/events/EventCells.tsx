import { memo } from 'react';
import { CertaintyMark } from '../parts/Certainty.tsx';
import { GroupChip } from '../parts/GroupChip.tsx';
import { NameParts } from '../ui/NameText.tsx';
import { RowButton } from '../ui/RowButton.tsx';
import type { ShownName } from '../ui/visible-text.ts';
import { GlyphUse } from './EventGlyph.tsx';
import type { RowTexts } from './row-texts.ts';

/**
 * The cells of a row in a list of events. Each text of `slotsOf` has its element, marked `data-slot`, because a list
 * that follows its end writes the texts of new rows into the elements of rows that are gone.
 */
export const EventCells = memo(function EventCells({ texts, isTabStop }: { texts: RowTexts; isTabStop: boolean }) {
  const { lock, where, holder, group, detail, folded } = texts;
  return (
    <>
      <td data-column="time">
        <time title={texts.instant} data-slot="time">
          {texts.time}
        </time>
      </td>
      <td data-column="step" data-slot="step">
        {texts.step}
      </td>
      {lock !== null && (
        <td data-column="lock">
          <NameOrText slot="lock" text={lock} />
          {where !== null && (
            <span className="where" data-slot="where">
              {where}
            </span>
          )}
        </td>
      )}
      <td data-column="holder">
        {holder === null ? (
          '–'
        ) : (
          <span className="person" title={holder.title} data-slot="holder">
            {holder.letter !== null && (
              <b className="letter" data-slot="letter">
                {holder.letter}
              </b>
            )}
            <span className="person-name">
              <NameParts slot="holder-name" name={holder.name} />
              <span data-slot="thread">{holder.thread}</span>
            </span>
          </span>
        )}
      </td>
      <td data-column="event">
        <RowButton isTabStop={isTabStop} isOpen={texts.isOpen}>
          <GlyphUse slot="glyph" shape={texts.glyph} />
          <span data-slot="title">{texts.title}</span>
        </RowButton>
      </td>
      <td data-column="detail">
        {group !== null && <GroupChip id={group} isTabStop={isTabStop} />}
        {detail !== null && <NameParts slot="detail" name={detail} />}{' '}
        <span className="quiet" title={folded?.instant} data-slot="folded">
          {folded?.text}
        </span>
      </td>
      <td data-column="certainty">
        <CertaintyMark certainty={texts.certainty} />
      </td>
    </>
  );
});

function NameOrText({ slot, text }: { slot: string; text: ShownName | string }) {
  if (typeof text === 'string') return <span data-slot={slot}>{text}</span>;
  return <NameParts slot={slot} name={text} />;
}
