import { memo, useLayoutEffect } from 'react';
import type { FrameDialog } from '../navigation/use-page-keys.ts';
import { type FindOption, useFindOptions } from './use-find-options.ts';

type FindOptionsProps = {
  text: string;
  isOpen: boolean;
  isDemo: boolean;
  onDialog: (dialog: FrameDialog) => void;
  onOptions: (options: readonly FindOption[]) => void;
};

/**
 * Renders nothing. Passes the entries of the search to the field. This code is loaded when the field is first focused.
 */
export default memo(function FindOptions({ text, isOpen, isDemo, onDialog, onOptions }: FindOptionsProps) {
  const options = useFindOptions(text, isOpen, { isDemo, onDialog });
  useLayoutEffect(() => onOptions(options), [options, onOptions]);
  return null;
});
