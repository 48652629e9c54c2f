/** What a Redis server is to its replicas. */
export const SERVER_ROLES = ['master', 'replica'] as const;

export type ServerRole = (typeof SERVER_ROLES)[number];
