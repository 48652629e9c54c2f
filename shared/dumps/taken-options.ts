/** An instant at which a dump may have been taken. Times are in µs. */
type TakenOption = {
  readonly at: number;
  /**
   * The time zone in which the dump's local time is that instant, in minutes east of UTC. Null: the dump was taken when
   * it was added.
   */
  readonly zoneMinutes: number | null;
};

const MINUTE = 60_000_000;
/** The clock of the JVM may be ahead by this much. */
const CLOCK_AHEAD_AT_MOST = 10_000_000;
/** Zones that are not whole hours. */
const ODD_ZONES = [-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765];
const HOURS = Array.from({ length: 27 }, (_, n) => (n - 12) * 60);

/**
 * The instants that fit the local time in a dump, the newest first: one for each zone in which it is not in the future.
 * Without a local time: the instant at which the dump was added.
 */
export function takenOptions(localTime: string | null, receivedAt: number): readonly TakenOption[] {
  const now = { at: receivedAt, zoneMinutes: null };
  const utc = localTime === null ? Number.NaN : Date.parse(`${localTime.replace(' ', 'T')}Z`) * 1000;
  if (Number.isNaN(utc)) return [now];
  const zones = [...HOURS, ...ODD_ZONES].map((zoneMinutes) => ({ at: utc - zoneMinutes * MINUTE, zoneMinutes }));
  return zones
    .filter(({ at }) => at <= receivedAt + CLOCK_AHEAD_AT_MOST)
    .map((option) => ({ ...option, at: Math.min(option.at, receivedAt) }))
    .sort((a, b) => b.at - a.at);
}

/**
 * The instant of the only zone in which a dump was taken less than a minute before it was added; null: no zone fits.
 * People usually add a dump right after taking it. An old dump of another zone would fit as well, so this is an
 * assumption.
 */
export function assumedTaken(localTime: string | null, receivedAt: number): number | null {
  const [newest] = takenOptions(localTime, receivedAt);
  if (!newest || newest.zoneMinutes === null) return null;
  return receivedAt - newest.at < MINUTE ? newest.at : null;
}

/** `UTC+08:00` */
export function zoneName(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const two = (n: number) => String(n).padStart(2, '0');
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
