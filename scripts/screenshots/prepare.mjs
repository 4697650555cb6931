import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-output.mjs';
import { demoUser } from './parley.mjs';

const TABLE = 'city,date,price\nRome,2026-01-01,12.5\nMilan,2026-01-01,14\nRome,2026-02-01,13.5\nTurin,2026-03-01,9';
const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Signs the demo user in and creates what the screens show: conversations, an order and a report.
 *
 * @param {import('@playwright/test').Page} page
 * @param {string} origin
 * @returns {Promise<Record<string, string>>} paths by name
 */
export async function prepareContent(page, origin) {
  const post = async (path, data) => {
    const response = await page.request.post(path, { data, headers: { origin } });
    if (!response.ok()) throw new CliError(`POST ${path} failed with ${response.status()}: ${await response.text()}`);
    return response.status() === 204 ? null : response.json();
  };
  const converse = async (agentSlug, text) => {
    const { conversationId } = await post('/api/chat/messages', { agentSlug, text, messageId: randomUUID() });
    await untilAnswered(page, conversationId);
    return `/chat/${conversationId}`;
  };
  await post('/api/auth/local', demoUser);
  const question = await converse('pizzeria', 'A pizza, please');
  const cart = await converse('pizzeria', 'One large Margherita to 12 Via Appia, Rome');
  const analysis = await converse('analyst', TABLE);
  await post('/api/reports', {
    kind: 'agent',
    id: 'analyst',
    reason: 'spam',
    details: 'It says that it reads spreadsheets, but it only reads CSV.',
  });
  return { question, cart, analysis, order: await firstOf(page, '/api/orders', '/orders') };
}

async function untilAnswered(page, conversationId) {
  const deadline = performance.now() + ANSWER_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const text = await (await page.request.get(`/api/chat/conversations/${conversationId}`)).text();
    if (/"(completed|input-required)"/.test(text)) return;
    await sleep(200);
  }
}

/** The page of the newest item of a list, or the list if it is empty. */
async function firstOf(page, api, path) {
  const { items = [] } = await (await page.request.get(api)).json();
  return items[0] ? `${path}/${items[0].id}` : path;
}
