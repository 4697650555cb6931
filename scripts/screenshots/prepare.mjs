import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-output.mjs';
import { demoUser } from './parley.mjs';
import { connectHosts } from './prepare-hosts.mjs';
import { prepareWork } from './prepare-work.mjs';

const TABLE = 'city,date,price\nRome,2026-01-01,12.5\nMilan,2026-01-01,14\nRome,2026-02-01,13.5\nTurin,2026-03-01,9';
const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Signs in the demo user and creates the content of the screens: conversations, an order, a report, a publisher,
 * collections and saved searches.
 *
 * @param {import('@playwright/test').Page} page
 * @param {string} origin
 * @returns {Promise<Record<string, string>>} paths by name
 */
export async function prepareContent(page, origin) {
  const send = (method, path, data) => sendTo(page, { origin, method, path, data });
  const post = (path, data) => send('POST', path, data);
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
  await send('PUT', '/api/publishers/own', {
    handle: 'demo',
    name: 'Parley demo',
    bio: 'Small agents that show what Parley can do. All of them work on what you send.',
    link: 'https://parley.example.com/demo',
  });
  const collection = await recommendCollections(page, send);
  const later = await post('/api/collections', { title: 'Try later', description: 'For a rainy day.' });
  await send('PUT', `/api/collections/${later.id}/agents/researcher`);
  await post('/api/saved-searches', { name: 'Pizza near me', query: { q: 'pizza' }, mail: true, feed: true });
  await post('/api/saved-searches', { name: 'Free data tools', query: { q: 'csv', price: 'free' }, feed: true });
  const work = await prepareWork(page, send);
  const hosts = await connectHosts(page, origin, send);
  return {
    question,
    cart,
    analysis,
    collection,
    ...work,
    ...hosts,
    order: await firstOf(page, '/api/orders', '/orders'),
  };
}

/** Recommends two collections of the demo, and returns the path of one of them. */
async function recommendCollections(page, send) {
  const { own } = await (await page.request.get('/api/collections')).json();
  own.sort((one, other) => one.title.localeCompare(other.title));
  for (const { id } of own.slice(0, 2)) await send('PATCH', `/api/collections/${id}`, { isCurated: true });
  return `/collections/${own[0].id}`;
}

/**
 * Signs up a new user, who has no agents, orders or conversations.
 *
 * @param {import('@playwright/test').Page} page
 * @param {{ origin: string, outbox: string }} parley
 * @returns {Promise<import('@playwright/test').Page>} the page, signed in
 */
export async function signUp(page, { origin, outbox }) {
  const password = randomBytes(12).toString('base64url');
  const send = (path, data) => sendTo(page, { origin, method: 'POST', path, data });
  await send('/api/auth/sign-up', { email: 'new@parley.test', name: 'Nia Newcomer', password });
  const mails = readdirSync(outbox).map((file) => readFileSync(path.join(outbox, file), 'utf8'));
  const mail = mails.find((text) => text.includes('To: new@parley.test\r\n')) ?? '';
  const link = new URL(/^http:\S+$/m.exec(mail)?.[0] ?? '', origin);
  await send('/api/auth/confirm', { token: link.searchParams.get('token'), password });
  return page;
}

async function sendTo(page, { origin, method, path, data }) {
  const response = await page.request.fetch(path, { method, headers: { origin }, ...(data ? { data } : {}) });
  if (!response.ok())
    throw new CliError(`${method} ${path} failed with ${response.status()}: ${await response.text()}`);
  const body = await response.text();
  return body === '' ? null : JSON.parse(body);
}

async function untilAnswered(page, conversationId) {
  const deadline = performance.now() + ANSWER_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const text = await (await page.request.get(`/api/chat/conversations/${conversationId}`)).text();
    if (/"(completed|input-required)"/.test(text)) return;
    await sleep(200);
  }
}

/** Returns the page of the newest item of a list, or the list itself if it is empty. */
async function firstOf(page, api, path) {
  const { items = [] } = await (await page.request.get(api)).json();
  return items[0] ? `${path}/${items[0].id}` : path;
}
