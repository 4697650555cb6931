import { expect, test } from 'vitest';
import { selectScoreInputs } from '@/lib/discovery/store/ranking-rows';
import { useTestDatabase } from '../../support/database';
import { seedAgents } from '../../support/seed-agents';
import { query } from '../../support/sql';

useTestDatabase();

async function ratedAgent(): Promise<string> {
  await seedAgents([{ name: 'Popular', description: 'Everybody likes it.', ownerId: 'usr_owner' }]);
  const [agent] = await query<{ id: string }>('test-agent', 'SELECT id FROM agent');
  return agent?.id ?? '';
}

test('rankings count a user with many apps once, and ignore guests and an agent’s own team, apps and reviews', async () => {
  const agentId = await ratedAgent();
  await query(
    'test-team',
    `INSERT INTO agent_member (id, agent_id, user_id, role, since) VALUES ('mem_1', $1, 'usr_member', 'viewer', now())`,
    [agentId],
  );
  const owners = ['usr_owner', 'usr_member', ...Array.from({ length: 20 }, () => 'usr_busy')];
  await query(
    'test-apps',
    `INSERT INTO app (id, owner_id, name, client_id) SELECT 'app_' || n, o, o, 'client-' || n
     FROM unnest($1::text[]) WITH ORDINALITY AS given(o, n)`,
    [owners],
  );
  const callers = [
    'usr_owner',
    'usr_member',
    'usr_busy',
    'usr_other',
    'gst_visitor',
    ...owners.map((_, at) => `app_${at + 1}`),
  ];
  await query(
    'test-tasks',
    `INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, credential_id, client_id, created_at)
     SELECT gen_random_uuid(), p, $1, 'context', 'completed', now(), 1, 'ses_1', 'parley', now() FROM unnest($2::text[]) p`,
    [agentId, callers],
  );
  await query(
    'test-reviews',
    `INSERT INTO review (id, agent_id, user_id, stars, text, created_at, updated_at)
     SELECT 'rev_' || u, $1, u, CASE u WHEN 'usr_other' THEN 2 ELSE 5 END, 'So it is.', now(), now()
     FROM unnest(ARRAY['usr_owner', 'usr_member', 'usr_other']) u`,
    [agentId],
  );
  const [facts] = await selectScoreInputs([agentId], new Date());
  expect(facts).toMatchObject({ users: 2, calls: 22, completed: 22, failed: 0, reviews: 1, stars: 2 });
});
