import { afterAll, beforeAll, expect, test } from 'vitest';
import { startParley } from '../support/parley';
import {
  type ConciergeFixture,
  conciergeEnv,
  listNamedAgent,
  meaningsCompared,
  type NamedAgent,
  reply,
  startConciergeFixture,
  tell,
  textOf,
} from './concierge-fixture';

let fixture: ConciergeFixture;
let poets: NamedAgent[];

beforeAll(async () => {
  fixture = await startConciergeFixture();
  const skill = { name: 'Poems', description: 'Writes poems and verses about any subject' };
  const list = (name: string): Promise<NamedAgent> =>
    listNamedAgent(fixture.url, fixture.ada, { name, description: 'Writes poems.', skill });
  poets = [await list('Poet Anna'), await list('Poet Bert')];
  const slugs = poets.map(({ slug }) => slug);
  await meaningsCompared(fixture, slugs, 'poems and verses');
});

afterAll(async () => {
  await fixture?.close();
  await Promise.all((poets ?? []).map(({ agent }) => agent.stop()));
});

test('a choice made on another node continues on this node', async () => {
  const { url, concierge } = fixture;
  const two = await startParley({ env: { ...conciergeEnv, APP_URL: url } });
  try {
    const asked = await tell(concierge, 'Write poems and verses about fog');
    const second = { ...concierge, url: concierge.url.replace(url, two.url) };
    const answered = await reply(second, asked, 'Poet Anna');
    expect(textOf(answered)).toContain('Poet Anna: Write poems and verses about fog');
  } finally {
    await two.stop();
  }
});

test('the concierge is withdrawn on a node that turns it off', async () => {
  const { databaseUrl } = fixture.parley;
  const parley = await startParley({ env: conciergeEnv, databaseUrl });
  expect((await fetch(`${parley.url}/api/agents/concierge`)).status).toBe(200);
  await parley.stop();
  const off = await startParley({ env: { CONCIERGE: 'off' }, databaseUrl });
  expect((await fetch(`${off.url}/api/agents/concierge`)).status).toBe(410);
  await off.stop();
});
