import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ConciergeFixture,
  choicesOf,
  listNamedAgent,
  meaningsCompared,
  type NamedAgent,
  routingOf,
  startConciergeFixture,
  tell,
  textOf,
} from './concierge-fixture';

describe('a router model', () => {
  let routed: ConciergeFixture;
  let painter: NamedAgent;
  let other: NamedAgent;
  let content: unknown = '{"agent":"none"}';
  const bodies: string[] = [];
  const model = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString('utf8'));
    response.end(JSON.stringify({ choices: [{ message: { content } }] }));
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
    const { port } = model.address() as AddressInfo;
    routed = await startConciergeFixture({
      ROUTER_URL: `http://127.0.0.1:${port}/v1`,
      ROUTER_MODEL: 'm',
      ROUTER_KEY: 'k',
    });
    const skill = { name: 'Portraits', description: 'Paints portraits of people from a photo' };
    painter = await listNamedAgent(routed.url, routed.ada, { name: 'Painter Eva', description: 'Paints.', skill });
    other = await listNamedAgent(routed.url, routed.ada, { name: 'Painter Finn', description: 'Paints.', skill });
    await meaningsCompared(routed, [painter.slug, other.slug], 'paint portraits of people');
  }, 120_000);

  afterAll(async () => {
    model.close();
    await routed?.close();
    await Promise.all([painter, other].map((named) => named?.agent.stop()));
  });

  test('chooses an agent for a message that the rules would leave to the user', async () => {
    content = JSON.stringify({ agent: other.slug });
    const task = await tell(routed.concierge, 'Paint portraits of people at my party');
    expect(textOf(task)).toContain('Painter Finn: Paint portraits');
    expect(routingOf(task)).toMatchObject({ by: 'model', agent: other.slug });
    expect(bodies.at(-1)).toContain(painter.slug);
  });

  test.each(['{"agent":"none"}', '{"agent":"concierge"}', 'Painter Eva!', null])(
    'makes the concierge ask the user if it returns %j',
    async (said) => {
      content = said;
      const task = await tell(routed.concierge, 'Paint portraits of people at my party');
      expect(choicesOf(task).length).toBeGreaterThan(1);
    },
  );

  test('receives neither messages that look private nor tasks that no agent can do', async () => {
    content = JSON.stringify({ agent: other.slug });
    const before = bodies.length;
    await tell(routed.concierge, 'Paint portraits of people. Password: hunter22hunter');
    const task = await tell(routed.concierge, 'Who won the football match?');
    expect(task.status.state).toBe('input-required');
    expect(bodies.length).toBe(before);
    expect(routed.parley.output()).not.toContain('hunter22');
  });
});
