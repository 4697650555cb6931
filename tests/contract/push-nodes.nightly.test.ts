import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { PushReceiver } from '../fakes/push-receiver';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Connection, connectTo, createPerson, listAgent, message10, rpc } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

const nodes: Parley[] = [];
let agent: ScriptedAgent;
let receiver: PushReceiver;
const connections: Connection[] = [];

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Many nodes' });
  receiver = await PushReceiver.start();
  for (let at = 0; at < 2; at++) nodes.push(await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } }));
  const [first, second] = nodes;
  if (!first || !second) throw new Error('no nodes');
  const ada = await createPerson(first.url);
  const slug = await listAgent(first.url, ada, { url: agent.url });
  connections.push(await connectTo(first.url, ada, slug));
});

afterAll(async () => {
  for (const node of nodes) await node.stop();
  await agent?.stop();
  await receiver?.stop();
});

test('several nodes deliver each push once, in order, for many concurrent tasks', async () => {
  agent.answer(({ result, end, received }) => {
    const id = `up-${String(received.id)}`;
    result(agent03.status(id, 'working'));
    for (let at = 0; at < 5; at++) result(agent03.artifact(id, `${at};`, { append: at > 0 }));
    result(agent03.status(id, 'completed'));
    end();
  });
  const [line] = connections;
  if (!line) throw new Error('no line');
  const paths = Array.from({ length: 30 }, () => `/${newUuid()}`);
  for (const path of paths.slice(0, 10)) receiver.answers.set(path, [500]);
  await Promise.all(
    paths.map((path) => {
      const configuration = { taskPushNotificationConfig: { url: `${receiver.url}${path}` } };
      return rpc(line, 'SendMessage', { ...message10('go'), configuration });
    }),
  );
  await waitFor(() => receiver.arrived.length >= 30 * 7 + 10, { what: 'all pushes', timeout: 45_000 });
  for (const [at, path] of paths.entries()) {
    const pushes = receiver.on(path).slice(at < 10 ? 1 : 0);
    const texts = pushes.map(({ body }) => {
      const { artifactUpdate, statusUpdate } = body as {
        artifactUpdate?: { artifact: { parts: [{ text: string }] } };
        statusUpdate?: { status: { state: string } };
      };
      return artifactUpdate?.artifact.parts[0].text ?? statusUpdate?.status.state;
    });
    expect(texts).toEqual(['TASK_STATE_WORKING', '0;', '1;', '2;', '3;', '4;', 'TASK_STATE_COMPLETED']);
    expect(new Set(pushes.map(({ headers }) => headers['parley-delivery'])).size).toBe(7);
  }
}, 60_000);
