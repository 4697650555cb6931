import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReviewPage, ReviewView } from '@/lib/reviews/schema';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { asBrowser, finishesAtOnce, mailsTo, use } from './moderation-fixture';

describe('reviews', () => {
  let parley: SharedParley;
  let agent: ScriptedAgent;
  let owner: Person;
  let ada: Person;
  let ben: Person;
  let slug: string;

  beforeAll(async () => {
    agent = await ScriptedAgent.start({ name: 'Reviewed' });
    finishesAtOnce(agent);
    parley = await sharedParley();
    [owner, ada, ben] = [
      await createPerson(parley.url, 'Olive'),
      await createPerson(parley.url, 'Ada'),
      await createPerson(parley.url, 'Ben'),
    ];
    slug = await listAgent(parley.url, owner, { url: agent.url });
    await use(parley, ada, slug);
    await use(parley, owner, slug);
  });
  afterAll(() => agent?.stop());

  function write(person: Person, review: unknown): Promise<Response> {
    return asBrowser(parley, person)(`/api/agents/${slug}/reviews/own`, { method: 'PUT', body: review });
  }

  async function list(query = ''): Promise<ReviewPage> {
    return (await (await fetch(`${parley.url}/api/agents/${slug}/reviews${query}`)).json()) as ReviewPage;
  }

  it('can be written by the agent’s users outside its team', async () => {
    expect((await write(ben, { stars: 1, text: 'Never used it.' })).status).toBe(403);
    expect((await write(owner, { stars: 5, text: 'Mine is the best.' })).status).toBe(403);
    expect((await asBrowser(parley, null)(`/api/agents/${slug}/reviews/own`, { method: 'PUT', body: {} })).status).toBe(
      401,
    );
    expect((await list()).summary).toEqual({ count: 0, average: null, distribution: [0, 0, 0, 0, 0] });
    const written = await write(ada, { stars: 4, text: ' It  helped.\u202e ' });
    expect(written.status).toBe(201);
    expect(await written.json()).toMatchObject({ stars: 4, text: 'It  helped.', author: 'Ada', reply: null });
  });

  it.each([
    [{ stars: 0, text: 'x' }, '/stars'],
    [{ stars: 6, text: 'x' }, '/stars'],
    [{ stars: 2.5, text: 'x' }, '/stars'],
    [{ stars: 3, text: '   ' }, '/text'],
    [{ stars: 3, text: 'x'.repeat(2_001) }, '/text'],
    [{ stars: 3, text: 'x', author: 'Somebody' }, ''],
  ])('reject %j and name the invalid member', async (body, pointer) => {
    const response = await write(ada, body);
    expect(response.status).toBe(400);
    const { faults } = (await response.json()) as { faults: { pointer: string }[] };
    expect(faults[0]?.pointer).toBe(pointer);
  });

  it('are limited to one per user and agent, and a second review replaces the first', async () => {
    expect((await write(ada, { stars: 2, text: 'It got worse.' })).status).toBe(200);
    const page = await list();
    expect(page.summary).toEqual({ count: 1, average: 2, distribution: [0, 1, 0, 0, 0] });
    expect(page.items).toHaveLength(1);
    expect(page.items[0]?.text).toBe('It got worse.');
    expect(mailsTo(parley, owner.email)).toHaveLength(1);
  });

  it('can be answered publicly only by the publisher, and the author receives one email', async () => {
    const id = (await list()).items[0]?.id ?? '';
    const path = `/api/agents/${slug}/reviews/${id}/reply`;
    expect((await asBrowser(parley, ada)(path, { method: 'PUT', body: { text: 'Me too.' } })).status).toBe(404);
    for (const text of ['We are sorry.', 'It is mended.']) {
      expect((await asBrowser(parley, owner)(path, { method: 'PUT', body: { text } })).status).toBe(200);
    }
    expect((await list()).items[0]?.reply?.text).toBe('It is mended.');
    const mails = mailsTo(parley, ada.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]).not.toContain('sorry');
    expect((await asBrowser(parley, ada)(path, { method: 'DELETE' })).status).toBe(404);
    expect((await asBrowser(parley, owner)(path, { method: 'DELETE' })).status).toBe(204);
    expect((await list()).items[0]?.reply).toBeNull();
  });

  it('AUZ-1 cannot be answered by another agent’s publisher', async () => {
    const other = await ScriptedAgent.start({ name: 'Other' });
    const otherSlug = await listAgent(parley.url, ben, { url: other.url });
    const id = (await list()).items[0]?.id ?? '';
    const path = `/api/agents/${otherSlug}/reviews/${id}/reply`;
    expect((await asBrowser(parley, ben)(path, { method: 'PUT', body: { text: 'Buy mine.' } })).status).toBe(404);
    await other.stop();
  });

  it('are sorted and paginated on request', async () => {
    await use(parley, ben, slug);
    expect((await write(ben, { stars: 5, text: 'Splendid.' })).status).toBe(201);
    const texts = async (sort: string): Promise<string[]> =>
      (await list(`?sort=${sort}`)).items.map(({ text }: ReviewView) => text);
    expect(await texts('newest')).toEqual(['Splendid.', 'It got worse.']);
    expect(await texts('highest')).toEqual(['Splendid.', 'It got worse.']);
    expect(await texts('lowest')).toEqual(['It got worse.', 'Splendid.']);
    expect(await list('?page=2')).toMatchObject({ items: [], page: 2, pages: 1 });
    expect((await fetch(`${parley.url}/api/agents/${slug}/reviews?sort=best`)).status).toBe(400);
  });

  it('from the demo’s fictional users appear only in a demo', async () => {
    const before = await list();
    expect(before.summary.count).toBeGreaterThan(0);
    const mark = (isDemo: boolean) =>
      query('test-mark-demo', 'UPDATE "user" SET is_demo = $2 WHERE id = $1', [ada.userId, isDemo]);
    await mark(true);
    const without = await list();
    expect(without.items.map(({ author }) => author)).not.toContain('Ada');
    expect(without.summary.count).toBe(before.summary.count - 1);
    await mark(false);
    expect(await list()).toEqual(before);
  });

  it('are not counted after their author joins the agent’s team', async () => {
    const { summary } = await list();
    const values = [slug, ada.userId];
    await query(
      'test-join',
      `INSERT INTO agent_member (id, agent_id, user_id, role, since) SELECT 'mem_test', id, $2, 'viewer', now()
       FROM agent WHERE slug = $1`,
      values,
    );
    expect((await list()).summary).toEqual({ count: 1, average: 5, distribution: [0, 0, 0, 0, 1] });
    expect((await list()).items.map(({ author }) => author)).toEqual(['Ben']);
    await query('test-leave', `DELETE FROM agent_member WHERE id = 'mem_test'`);
    expect((await list()).summary).toEqual(summary);
  });

  it('are included in their author’s export, and are deleted with the account', async () => {
    const exported = await asBrowser(parley, ben)('/api/account/export', { method: 'POST' });
    const { reviews } = (await exported.json()) as { reviews: object[] };
    expect(reviews).toMatchObject([{ agent: slug, stars: 5, text: 'Splendid.' }]);
    const body = { email: ben.email, password: 'correct horse battery' };
    expect((await asBrowser(parley, ben)('/api/account/deletion', { body })).status).toBe(204);
    expect((await list()).summary).toMatchObject({ count: 1, average: 2 });
  });

  it('can be deleted only by their author', async () => {
    const path = `/api/agents/${slug}/reviews/own`;
    expect((await asBrowser(parley, owner)(path, { method: 'DELETE' })).status).toBe(404);
    expect((await asBrowser(parley, ada)(path, { method: 'DELETE' })).status).toBe(204);
    expect((await list()).summary.count).toBe(0);
  });
});
