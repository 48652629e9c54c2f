/**
 * The output limit of pub/sub clients, in bytes, from `CONFIG GET client-output-buffer-limit`; 0: no limit, null:
 * unknown. A connection that monitors is a pub/sub client as well, because it subscribes first. A soft limit counts
 * four times, so that a quarter of the result never exceeds it.
 */
export function pubsubLimit(setting: string): number | null {
  const words = setting.trim().split(/\s+/);
  const at = words.indexOf('pubsub');
  const [hard, soft] = [Number(words[at + 1]), Number(words[at + 2])];
  if (at === -1 || !Number.isFinite(hard) || !Number.isFinite(soft)) return null;
  return hard > 0 && soft > 0 ? Math.min(hard, 4 * soft) : hard || 4 * soft;
}
