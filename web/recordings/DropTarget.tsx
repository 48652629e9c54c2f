import { useEffect, useRef, useState } from 'react';
import { addDump, isDump } from '../data/queries/dump-work.ts';
import { openFiles } from '../data/queries/recording-work.ts';
import { useWords } from '../words/language.ts';

/**
 * Opens files that are dropped anywhere on the page, recordings and thread dumps, and announces that while they are
 * dragged over it.
 */
export function DropTarget() {
  const { recordings } = useWords();
  const isOver = useDroppedFiles((files) => void open(files));
  if (!isOver) return null;
  return (
    <div className="drop-target">
      <p>{recordings.drop}</p>
    </div>
  );
}

/** Opens recordings. A file that begins as a thread dump does is added as one. */
async function open(files: readonly File[]): Promise<void> {
  const areDumps = await Promise.all(files.map(isDump));
  for (const [n, file] of files.entries()) if (areDumps[n]) await addDump(file, file.name);
  const others = files.filter((_, n) => !areDumps[n]);
  if (others.length > 0) await openFiles(others);
}

/** Calls `onFiles` with the files of each drop. True while files are dragged over the page. */
function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const drop = useRef(onFiles);
  drop.current = onFiles;
  useEffect(() => {
    // A drag that enters a part of the page leaves another part. `depth` is 0 once the drag has left the page.
    let depth = 0;
    const reset = () => {
      depth = 0;
      setOver(false);
    };
    const handle = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault(); // otherwise the browser leaves the page and shows the file
      if (event.type === 'dragenter') depth++;
      if (event.type === 'dragleave') depth--;
      if (event.type === 'dragenter') setOver(true);
      if (event.type === 'dragleave' && depth <= 0) reset();
      if (event.type !== 'drop') return;
      reset();
      const files = [...event.dataTransfer.files];
      if (files.length > 0) drop.current(files);
    };
    const types = ['dragenter', 'dragover', 'dragleave', 'drop'] as const;
    for (const type of types) window.addEventListener(type, handle);
    return () => {
      for (const type of types) window.removeEventListener(type, handle);
    };
  }, []);
  return isOver;
}
