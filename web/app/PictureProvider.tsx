import { type ReactNode, useCallback, useContext } from 'react';
import { useLiveStore } from '../data/live/use-live.ts';
import { GivenLetters } from '../parts/people.ts';
import { PictureMaker, type PictureWish } from '../share/picture-maker.ts';

/** Lets every page draw the timeline of a lock. The code that draws is loaded when a picture is requested. */
export function PictureProvider({ children }: { children: ReactNode }) {
  const live = useLiveStore();
  const given = useContext(GivenLetters);
  const make = useCallback(
    async (wish: PictureWish) => {
      const { pictureOfLock } = await import('../timeline/picture/picture-of-lock.ts');
      return pictureOfLock(live, wish, given);
    },
    [live, given],
  );
  return <PictureMaker value={make}>{children}</PictureMaker>;
}
