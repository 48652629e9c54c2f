/** Runs in an empty page: a clock that is drawn again in every frame, as a page with an endless animation does. */
export function drawEveryFrame(): void {
  const text = document.createElement('p');
  const canvas = document.createElement('canvas');
  canvas.width = 1200;
  canvas.height = 600;
  document.body.append(text, canvas);
  const pen = canvas.getContext('2d');
  const frame = () => {
    text.textContent = String(Date.now());
    pen?.clearRect(0, 0, canvas.width, canvas.height);
    pen?.fillRect((Date.now() / 30) % canvas.width, 0, 1, canvas.height);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

/** Runs in an empty page: reads new events ten times a second and appends a table row for each. Keeps 1,000 rows. */
export async function listNaively(url: string): Promise<void> {
  const scroller = document.createElement('div');
  scroller.style.cssText = 'height: 800px; overflow: auto';
  const table = document.createElement('table');
  scroller.append(table);
  document.body.append(scroller);
  let after = 0;
  const read = async () => {
    const path = after === 0 ? `${url}/api/events?limit=1000` : `${url}/api/events?after=${after}&limit=1000`;
    const { events } = (await (await fetch(path)).json()) as { events: Record<string, unknown>[] }; // docs/api.md has the form of this answer
    for (const event of events) {
      const row = table.insertRow();
      for (const field of ['at', 'lock', 'holder', 'type', 'leaseMs', 'certainty']) {
        row.insertCell().textContent = String(event[field] ?? '');
      }
      after = Number(event.seq);
    }
    while (table.rows.length > 1000) table.deleteRow(0);
    scroller.scrollTop = scroller.scrollHeight;
    setTimeout(read, 100);
  };
  await read();
}
