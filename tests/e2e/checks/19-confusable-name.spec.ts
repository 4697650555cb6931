import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { AgentPreview } from '@/lib/catalog/schema-registration';
import { CardServer } from '../../fakes/card-server';
import { cardV10 } from '../../fakes/cards';
import { listAgent, send } from '../../support/fixtures';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { newAccount } from '../people';

test('a name that is confusable with another user’s verified agent is marked, even on its page', async ({ page }) => {
  const cards = await CardServer.start();
  const [owner, impostor] = [await newAccount('Vera'), await newAccount('Ivan')];
  const mark = randomUUID()
    .replace(/[^a-f]/g, '')
    .padEnd(8, 'q')
    .slice(0, 8);
  const name = `Kolibri ${mark} Reisen`;
  const original = await listAgent(setting('parleyUrl'), owner, {
    url: cards.serve('original', cardV10(cards.base('original'), { name })),
  });
  const client = new Client({ connectionString: setting('databaseUrl') });
  await client.connect();
  await client.query(`UPDATE agent SET badges = array_append(badges, 'verified') WHERE slug = $1`, [original]);
  await client.end();

  const twin = cards.serve('twin', cardV10(cards.base('twin'), { name: name.replace('o', 'о').replace('e', 'е') }));
  const previewed = await send(`${setting('parleyUrl')}/api/agents/preview`, {
    body: { url: twin },
    bearer: impostor.accessToken,
  });
  expect(((await previewed.json()) as AgentPreview).looksLike).toEqual({ slug: original, name });
  const slug = await listAgent(setting('parleyUrl'), impostor, { url: twin });
  await page.goto(`/agents/${slug}`);
  await expect(page.getByText('Similar to another agent’s name')).toBeVisible();
  await expect(page.getByRole('link', { name }).first()).toHaveAttribute('href', `/agents/${original}`);
  await page.goto(`/agents/${original}`);
  await expect(page.getByText('Similar to another agent’s name')).toHaveCount(0);
  await cards.stop();
});
