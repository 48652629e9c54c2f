/** The role of a Redis server in its replication group. */
export const SERVER_ROLES = ['master', 'replica'] as const;

export type ServerRole = (typeof SERVER_ROLES)[number];
