import type { Words } from './words.ts';

/** The title of an incident; its id if this page does not know it. */
export function incidentTitle(incident: string, { insights }: Words): string {
  return Object.hasOwn(insights, incident) ? insights[incident as keyof typeof insights].title : incident;
}
