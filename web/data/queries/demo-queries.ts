import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type {
  ClientAction,
  Demo,
  DemoClient,
  demoBody,
  scenariosBody,
  ThreadAction,
  ThreadActionBody,
} from '../../../shared/wire/demo.ts';
import { getJson, postJson } from '../http/http.ts';
import { useLive } from '../live/use-live.ts';

/**
 * How often the demo is polled, in ms: while a command is running or the demo is in motion (`isInMotion`), and
 * otherwise. It is also read after events.
 */
const BUSY_MS = 200;
const QUIET_MS = 5000;

/**
 * The actions possible in each state of a client. They act on a real process: `freeze`, `thaw` and `kill` by a signal.
 */
export const CLIENT_ACTIONS: Readonly<Record<DemoClient['state'], readonly ClientAction[]>> = {
  starting: [],
  running: ['freeze', 'kill'],
  frozen: ['thaw', 'kill'],
  cut: ['heal', 'kill'],
  dead: ['start'],
};

const COMMAND = ['demo-command'];

/** The state of the demo: the current scenario, the clients and their threads. */
export function useDemo(isDemo: boolean) {
  // poll fast during a slow command, so that the user sees what it waits for
  const isCommanded = useIsMutating({ mutationKey: COMMAND }) > 0;
  return useQuery({
    queryKey: ['demo'],
    queryFn: ({ signal }) => getJson<typeof demoBody>('/api/demo', signal),
    enabled: isDemo,
    refetchInterval: ({ state }) => {
      const isMoving = isCommanded || (state.data !== undefined && isInMotion(state.data));
      return isMoving ? BUSY_MS : QUIET_MS;
    },
  });
}

/** Whether the next response may soon differ: the clients act, or not everything that they did has been reported. */
export function isInMotion({ starting, state, clients, script, reported }: Motion): boolean {
  if (starting !== undefined || state === 'running') return true;
  if (reported && script.some(({ at = 0 }) => at > reported.until)) return true;
  return clients.some(({ state, threads }) => state === 'starting' || threads.some((t) => t.state === 'busy'));
}

type Motion = Pick<Demo, 'starting' | 'state' | 'clients' | 'script' | 'reported'>;

/** Reads the demo again after each new event. */
export function useDemoFollowsEvents(): void {
  const client = useQueryClient();
  const seq = useLive((state) => state.seq);
  useEffect(() => {
    if (seq > 0) void client.invalidateQueries({ queryKey: ['demo'] }, { cancelRefetch: false });
  }, [client, seq]);
}

/** The scenarios that this server can run. */
export function useScenarios(isDemo: boolean) {
  return useQuery({
    queryKey: ['scenarios'],
    queryFn: ({ signal }) => getJson<typeof scenariosBody>('/api/demo/scenarios', signal),
    enabled: isDemo,
    staleTime: 60_000,
  });
}

export type DemoCommand =
  | { readonly do: 'start-scenario'; readonly id: string }
  | { readonly do: 'stop-scenario' }
  | { readonly do: 'client'; readonly client: string; readonly action: ClientAction }
  | {
      readonly do: 'thread';
      readonly client: string;
      readonly thread: number;
      readonly action: ThreadAction;
      readonly body: ThreadActionBody;
    };

/** Sends a command to the demo, then reads the demo again. */
export function useDemoCommand() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: COMMAND,
    mutationFn: (command: DemoCommand) => {
      switch (command.do) {
        case 'start-scenario':
          return postJson(`/api/demo/scenarios/${encodeURIComponent(command.id)}/start`);
        case 'stop-scenario':
          return postJson('/api/demo/stop');
        case 'client':
          return postJson(`/api/demo/clients/${encodeURIComponent(command.client)}/${command.action}`);
        case 'thread': {
          const path = `/api/demo/clients/${encodeURIComponent(command.client)}/threads/${command.thread}`;
          return postJson(`${path}/${command.action}`, command.body);
        }
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['demo'] }),
  });
}
