/** What a link with `?embed=1` asks for: the stage alone, for slides and documents. */
type Embed = {
  readonly isOn: boolean;
  /** The theme of this window; null: the stored one. */
  readonly theme: 'light' | 'dark' | null;
  /** The scenario that its play button starts; null: the show. */
  readonly scenario: string | null;
};

/** Returns what the query of a link asks for. Without `embed=1` the other parameters are ignored. */
export function embedFrom(search: string): Embed {
  const query = new URLSearchParams(search);
  const isOn = query.get('embed') === '1';
  const theme = query.get('theme');
  return {
    isOn,
    theme: isOn && (theme === 'light' || theme === 'dark') ? theme : null,
    scenario: isOn ? query.get('scenario') : null,
  };
}
