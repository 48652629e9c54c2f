/** The Redis command that lets a user run MONITOR. */
export function permissionCommand(user: string): string {
  return `ACL SETUSER ${user} +monitor`;
}
