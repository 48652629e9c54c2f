/**
 * The output limit of pub/sub clients, in bytes, from `CONFIG GET client-output-buffer-limit`; 0: no limit, null:
 * unknown. A connection that monitors is a pub/sub client as well, because it subscribes first. If both limits are set,
 * the result is the lower one of the hard limit and four times the soft limit: a quarter of it never exceeds the soft
 * limit.
 */
export function pubsubLimit(setting: string): number | null {
  const words = setting.trim().split(/\s+/);
  const at = words.indexOf('pubsub');
  const [hard, soft] = [Number(words[at + 1]), Number(words[at + 2])];
  if (at === -1 || !Number.isFinite(hard) || !Number.isFinite(soft)) return null;
  return hard > 0 && soft > 0 ? Math.min(hard, 4 * soft) : hard || 4 * soft;
}
