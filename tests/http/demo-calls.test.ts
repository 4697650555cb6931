import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTo, createPerson, message10, rpc, withHeaders } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

let parley: Parley;

beforeAll(async () => {
  parley = await startParley({ env: { DEMO: '1' } });
});
afterAll(() => parley?.stop());

test('the server calls its demo’s agents, although no setting allows their URLs', async () => {
  const caller = await connectTo(parley.url, await createPerson(parley.url), 'pizzeria');
  const { body } = await rpc(withHeaders(caller, { 'a2a-version': '1.0' }), 'SendMessage', message10('Hello'));
  expect(JSON.stringify(body.result)).toMatch(/TASK_STATE_(COMPLETED|INPUT_REQUIRED)/);
});

test('the server is not ready while one of its demo’s agents does not respond', async () => {
  const { agents } = JSON.parse(readFileSync(path.join(parley.dataDir, 'demo.json'), 'utf8'));
  const pid = Number.parseInt(agents.pizzeria.mark, 10);
  process.kill(pid, 'SIGSTOP');
  try {
    const isUnready = async (): Promise<boolean> => {
      const response = await fetch(`${parley.url}/readyz`);
      return response.status === 503 && JSON.stringify(await response.json()).includes('demo agents');
    };
    await waitFor(isUnready, { timeout: 20_000, what: 'the check of the demo to fail' });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});
