import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  interface Window {
    axe: { run(context: Document, options: RunOptions): Promise<AxeResults> };
  }
}

/** The only rules of axe whose answer depends on the theme. */
export const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/**
 * The serious and critical findings of axe on a page, one line each. Playwright injects axe, because no page may load
 * it. `rules`: checks only these.
 */
export async function seriousFindings(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  await page.evaluate(untilStill);
  const { violations, passes } = await page.evaluate(
    (only) => window.axe.run(document, only ? { runOnly: only } : {}),
    rules,
  );
  if (passes.length < (rules ? 1 : 5)) throw new Error('axe found next to nothing to check');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary}`),
    );
}

/** Expects no serious accessibility finding on the page as it is shown now; the test continues in any case. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  expect.soft(await seriousFindings(page), `serious findings of axe: ${what}`).toEqual([]);
}

/** Settles when all transitions have ended, because colours during a fade are not those that a user reads. */
async function untilStill(): Promise<void> {
  const isTransition = ({ effect }: Animation) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
  await Promise.allSettled(
    document
      .getAnimations()
      .filter(isTransition)
      .map(({ finished }) => finished),
  );
}
