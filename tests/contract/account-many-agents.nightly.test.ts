import { expect, test } from 'vitest';
import { MAX_OWN_AGENTS } from '@/lib/catalog/limits';
import { createPerson } from '../support/fixtures';
import { seedAgents } from '../support/seed-agents';
import { sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { OwnAccount } from './account-fixture';

test('an account with any number of agents exports all of them, and withdraws them when it is deleted', {
  timeout: 180_000,
}, async () => {
  const { url } = await sharedParley();
  const ada = new OwnAccount(url, await createPerson(url, 'Ada'));
  const { userId } = ada.person;
  const names = Array.from({ length: MAX_OWN_AGENTS + 1 }, (_, at) => `Many ${userId.slice(4, 12)} ${at}`);
  const slugs = await seedAgents(names.map((name) => ({ name, description: 'One of many', ownerId: userId })));
  const { agents } = JSON.parse(await ada.export()) as { agents: { slug: string }[] };
  expect(agents.map(({ slug: of }) => of).sort()).toEqual(slugs.sort());
  expect((await ada.delete()).status).toBe(204);
  const remaining = await query('test-left', "SELECT slug FROM agent WHERE owner_id = $1 AND status <> 'withdrawn'", [
    userId,
  ]);
  expect(remaining).toEqual([]);
});
