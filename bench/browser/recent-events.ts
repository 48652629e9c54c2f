/** The fields of an event that the benches use. */
export type ReportedEvent = {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly lock: string;
  readonly holder?: string;
  readonly certainty: string;
};

export async function nextSeq(url: string): Promise<number> {
  return (await page(url, Number.MAX_SAFE_INTEGER)).nextSeq;
}

/** The events of the program's history with `first` ≤ seq < `end`. */
export async function eventsBetween(url: string, first: number, end: number): Promise<ReportedEvent[]> {
  const events: ReportedEvent[] = [];
  for (let after = first - 1; after < end - 1; after = events.at(-1)?.seq ?? end) {
    const more = (await page(url, after)).events.filter(({ seq }) => seq < end);
    if (more.length === 0) break;
    events.push(...more);
  }
  return events;
}

async function page(url: string, after: number): Promise<{ events: ReportedEvent[]; nextSeq: number }> {
  const answer = await fetch(`${url}/api/events?after=${after}&limit=5000`);
  return (await answer.json()) as { events: ReportedEvent[]; nextSeq: number }; // docs/api.md has the form of this answer
}
