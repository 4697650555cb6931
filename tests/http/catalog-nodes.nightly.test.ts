import { expect, test } from 'vitest';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { createPerson, listAgent, send } from '../support/fixtures';
import { startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

test('another node sees a change to an agent within a second', async () => {
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*' };
  const [cards, one, other] = [await CardServer.start(), await startParley({ env }), await startParley({ env })];
  try {
    const ada = await createPerson(one.url);
    const url = cards.serve('listed', cardV10(cards.base('listed'), { name: 'Listed' }));
    const slug = await listAgent(one.url, ada, { url });
    const change = (method: string, body?: object): Promise<Response> =>
      send(`${one.url}/api/agents/${slug}`, { method, body, bearer: ada.accessToken });
    const there = `${other.url}/api/agents/${slug}`;
    const becomes = (status: number, what: string): Promise<boolean> =>
      waitFor(async () => (await fetch(there)).status === status, {
        timeout: 1_000,
        what: `the other node to ${what}`,
      });
    expect((await fetch(there)).status).toBe(200);
    expect((await fetch(`${other.url}/agents/${slug}/.well-known/agent-card.json`)).status).toBe(200);
    await change('PATCH', { visibility: 'private' });
    await becomes(404, 'hide it');
    await change('PATCH', { visibility: 'public' });
    await becomes(200, 'show it');
    await change('DELETE');
    await becomes(410, 'drop it');
  } finally {
    await Promise.all([one.stop(), other.stop(), cards.stop()]);
  }
});
