import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-output.mjs';

const POLL_MS = 300;
const POLLS = 100;

/**
 * Has the demo's researcher hire the analyst, once waiting for approval and once done, and finds two logged calls.
 *
 * @param {import('@playwright/test').Page} page a signed-in page
 * @param {(method: string, path: string, data?: object) => Promise<object>} send
 * @returns {Promise<Record<string, string>>} paths by name
 */
export async function prepareWork(page, send) {
  const get = async (path) => (await page.request.get(path)).json();
  /** Asks the researcher, and waits until the delegated work is in the expected state. */
  const hire = async (text, isWanted) => {
    const message = { agentSlug: 'researcher', text, messageId: randomUUID() };
    const { conversationId } = await send('POST', '/api/chat/messages', message);
    for (let poll = 0; poll < POLLS; poll += 1) {
      const [chain] = (await get(`/api/chat/conversations/${conversationId}`)).chains;
      if (chain && isWanted(chain)) return { path: `/chat/${conversationId}`, chain };
      await sleep(POLL_MS);
    }
    throw new CliError('the researcher did not hire the analyst');
  };
  const waiting = await hire('Which of the planets has the most moons?', ({ state }) => state === 'waiting');
  await send('PUT', '/api/grants/researcher', { scopes: [], hire: 'yes' });
  const done = await hire('Which planet is the largest, and how large is it?', ({ state }) => state === 'over');
  const callPath = async (query) =>
    `/console/agents/analyst/calls/${(await get(`/api/agents/analyst/calls${query}`)).items[0].id}`;
  return {
    approval: waiting.path,
    chain: done.path,
    chainPage: `/chat/chains/${done.chain.rootTaskId}`,
    call: await callPath('?status=ok'),
    failedCall: await callPath('?status=failed'),
  };
}
