import { useDumpWork } from '../data/queries/dump-work.ts';
import { LatePart } from '../ui/LatePart.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';

const DumpDialog = lazyPart(() => import('./DumpDialog.tsx'));

/** The dialog about thread dumps, while it is open. Its code is loaded when the dialog is first opened. */
export function OpenDumpDialog() {
  const work = useDumpWork();
  return (
    work && (
      <LatePart>
        <DumpDialog work={work} />
      </LatePart>
    )
  );
}
