/** How long clients of the live channel wait, in ms. */
export const LIVE_PAUSES = {
  /** For the snapshot of a `resync`, before it asks for one. */
  resync: 2000,
  /** Before it connects again after the server has ended, perhaps to be started again. */
  ended: 1000,
  /** Before it connects again after the server refused it. */
  refused: 5000,
  /** Between two requests inside an application: its login must accept each one while the channel is open. */
  renewal: 60_000,
} as const;
