import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { Artifact } from '@/lib/protocol/a2a/core/model';
import { expect, test } from '../../support/page';
import { openWithMessage } from '../chat-fixture';
import { violationsOn } from '../expect-no-violations';

const csv = `city,date,price\n${Array.from({ length: 48 }, (_, row) => {
  const month = String((row % 12) + 1).padStart(2, '0');
  return `${['Rome', 'Milan', 'Turin'][row % 3]},2024-${month}-01,${10 + (row % 7) * 1.5}`;
}).join('\n')}`;

test('an analysis is shown as a table and a chart, with byte-identical downloads', async ({ page }) => {
  const conversationId = await openWithMessage(page, { agentSlug: 'analyst', text: `\`\`\`csv\n${csv}\n\`\`\`` });
  await expect(page.getByRole('figure', { name: /^Chart: / })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('columnheader', { name: 'Distinct' })).toBeVisible();
  await expect(page.getByRole('figure', { name: 'File report.md' })).toBeVisible({ timeout: 30_000 });

  await page.getByRole('button', { name: /^Artifacts/ }).click();
  const panel = page
    .getByRole('complementary', { name: 'Artifacts' })
    .or(page.getByRole('dialog', { name: 'Artifacts' }));
  await panel.getByRole('button', { name: /^Analysis/ }).press('Enter');
  await expect(panel.getByRole('heading', { name: 'Analysis', level: 3 })).toBeFocused();
  const artifacts = await artifactsOf(page, conversationId);
  expect(await saved(page, () => panel.getByRole('button', { name: 'Download Analysis.md' }).click())).toBe(
    digest(Buffer.from(artifacts.text, 'utf8')),
  );
  expect(await violationsOn(page)).toEqual([]);
  await panel.getByRole('button', { name: 'All artifacts' }).click();
  await expect(panel.getByRole('button', { name: /^Analysis/ })).toBeFocused();

  await panel.getByRole('button', { name: /^Report/ }).click();
  expect(await saved(page, () => panel.getByRole('button', { name: 'Download report.md' }).click())).toBe(
    digest(Buffer.from(artifacts.report, 'base64')),
  );
});

/** The server's copy of the analysis: its text, and the report as base64. */
async function artifactsOf(page: Page, conversationId: string): Promise<{ text: string; report: string }> {
  const response = await page.request.get(`/api/chat/conversations/${conversationId}`);
  const { tasks } = (await response.json()) as {
    tasks: { events: { event: { type: string; artifact?: Artifact } }[] }[];
  };
  const parts = tasks.flatMap(({ events }) =>
    events.flatMap(({ event }) =>
      (event.artifact?.parts ?? []).map((part) => ({ id: event.artifact?.artifactId, part })),
    ),
  );
  const text = parts.flatMap(({ id, part }) => (id === 'analysis' && part.kind === 'text' ? [part.text] : [])).join('');
  const report = parts.flatMap(({ part }) => (part.kind === 'bytes' ? [part.bytes] : [])).join('');
  return { text, report };
}

async function saved(page: Page, press: () => Promise<void>): Promise<string> {
  const download = page.waitForEvent('download');
  await press();
  return digest(readFileSync(await (await download).path()));
}

function digest(bytes: Uint8Array): string {
  return `${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;
}
