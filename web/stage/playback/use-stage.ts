import { createContext, useContext, useSyncExternalStore } from 'react';
import type { StagePlayer } from './player.ts';
import type { StageView } from './stage-view.ts';

export const PlayerContext = createContext<StagePlayer | null>(null);

/** The player of the stage above this component. Throws if there is no stage. */
export function usePlayer(): StagePlayer {
  const player = useContext(PlayerContext);
  if (!player) throw new Error('no PlayerContext above this component');
  return player;
}

/** The view of the stage; renders again when it changes. */
export function useStageView(): StageView {
  const player = usePlayer();
  return useSyncExternalStore(player.subscribe, player.get);
}
