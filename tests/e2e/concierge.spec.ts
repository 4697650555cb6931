import '../support/process-env';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { test as base, expect } from '../support/page';
import { type Parley, startParley } from '../support/parley';
import { setting } from '../support/settings';
import { expectNoViolations } from './expect-no-violations';

const poets = ['Poet Anna', 'Poet Bert', 'Poet Carla'];

interface Market {
  parley: Parley;
  person: Person;
}

/** A market with a concierge and three agents that do the same. */
const test = base.extend<object, { market: Market }>({
  market: [
    async ({ browserName: _ }, use) => {
      const parley = await startParley({
        env: { CONCIERGE: 'on', AGENT_URL_ALLOW: 'http://127.0.0.1:*' },
      });
      const person = await createPerson(parley.url, 'Ada');
      const agents = await Promise.all(poets.map((name) => startPoet(name)));
      for (const { url } of agents) await listAgent(parley.url, person, { url });
      await use({ parley, person });
      await parley.stop();
      await Promise.all(agents.map((agent) => agent.stop()));
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ market }, use) => use(market.parley.url),
  context: async ({ context, market }, use) => {
    const [name = '', value = ''] = market.person.cookie.split('=');
    await context.addCookies([{ name, value, url: market.parley.url }]);
    await use(context);
  },
});

async function startPoet(name: string): Promise<ScriptedAgent> {
  const agent = await ScriptedAgent.start({ name });
  const skills = [
    { id: 'poems', name: 'Poems', description: 'Writes poems about any subject', tags: [], examples: [] },
  ];
  agent.pages['/.well-known/agent-card.json'] = { ...agent.card, description: 'Writes poems and verses.', skills };
  agent.answer(({ received, json }) => {
    const text = received.params.message?.parts[0]?.text;
    const artifacts = [{ artifactId: 'poem', parts: [{ kind: 'text', text: `${name} wrote: ${text}` }] }];
    const result = { kind: 'task', id: `${name} ${agent.received.length}`, contextId: 'c', artifacts, history: [] };
    json({ jsonrpc: '2.0', id: received.id, result: { ...result, status: { state: 'completed' } } });
  });
  return agent;
}

test('a message from the home page reaches the agent that the user chooses', async ({ page }) => {
  await page.goto('/');
  const input = page.getByRole('combobox', { name: 'What do you need done?' });
  const letParleyChoose = page.getByRole('option', { name: /^Let Parley choose/ });
  await expect(async () => {
    await input.fill('');
    await input.pressSequentially('Write poems about any subject');
    await expect(letParleyChoose).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await letParleyChoose.click();
  const choices = page.getByRole('figure', { name: 'Agents to choose from' });
  await expect(choices.getByRole('listitem')).toHaveCount(3);
  for (const name of poets) await expect(choices.getByText(name)).toBeVisible();
  await expect(choices.getByText('Price not listed').first()).toBeVisible();
  await expectNoViolations(page, 'the choices of the concierge');
  await page.setViewportSize({ width: 1280, height: 800 });
  await choices.getByRole('button', { name: 'Ask this agent: Poet Bert' }).click();
  await expect(page.getByText('Poet Bert wrote: Write poems about any subject')).toBeVisible();
  await expect(page.getByText('Ask Poet Bert')).toBeVisible();
  await expect(choices.getByRole('button')).toHaveCount(0);
});

test('a search without a match offers the concierge with the query from the home page', async ({ page }) => {
  await page.goto('/agents?q=repair+my+bicycle');
  const ways = page.getByRole('region', { name: 'Other ways to find an agent' });
  await expect(ways.getByRole('link', { name: 'Let Parley choose' })).toHaveAttribute('href', /agent=concierge/);
  await expect(ways).not.toContainText(/concierge/i);
});

test('the home page shows no concierge if it is turned off', async ({ page }) => {
  await page.goto(setting('parleyUrl'));
  const input = page.getByRole('combobox', { name: 'What do you need done?' });
  await expect(async () => {
    await input.fill('');
    await input.pressSequentially('A poem');
    await expect(page.getByRole('option', { name: /^All agents for/ })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(page.getByRole('option', { name: /^Let Parley choose/ })).toHaveCount(0);
});
