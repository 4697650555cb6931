import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseDetail, ModerationActivity, OwnCase, Queue, Receipt } from '@/lib/moderation/schema';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { connectTo, createPerson, listAgent, message03, type Person, rpc } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { whileLocked } from '../support/while-locked';
import { asBrowser, finishesAtOnce, Moderator, mailsTo, promote, report, use } from './moderation-fixture';

describe('moderation', () => {
  const moderatorEmail = `moderator@example.test`;
  let parley: Parley;
  let agent: ScriptedAgent;
  let owner: Person;
  let ada: Person;
  let judge: Person;
  let moderator: Moderator;
  let slug: string;

  beforeAll(async () => {
    agent = await ScriptedAgent.start({ name: 'Suspect' });
    finishesAtOnce(agent);
    const ADMIN_EMAILS = `somebody@else.test,${moderatorEmail.toUpperCase()}`;
    parley = await startParley({
      env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*', ADMIN_EMAILS, TRUSTED_PROXIES: '127.0.0.1,::1' },
    });
    [owner, ada, judge] = [
      await createPerson(parley.url, 'Olive'),
      await createPerson(parley.url, 'Ada'),
      await createPerson(parley.url, 'Mod'),
    ];
    await promote(parley, judge, moderatorEmail);
    moderator = new Moderator(parley, judge);
    slug = await listAgent(parley.url, owner, { url: agent.url });
  });
  afterAll(async () => {
    await parley?.stop();
    await agent?.stop();
  });

  async function caseDetail(): Promise<CaseDetail> {
    const { id } = await moderator.caseOf('Suspect');
    return (await (await asBrowser(parley, judge)(`/api/moderation/cases/${id}`)).json()) as CaseDetail;
  }

  async function activity(): Promise<ModerationActivity> {
    return (await (await asBrowser(parley, judge)('/api/moderation/activity')).json()) as ModerationActivity;
  }

  async function take(path: string, person: Person | null = null): Promise<number> {
    return (await asBrowser(parley, person)(path)).status;
  }

  it('AUZ-4 is available to moderators only, and returns 404 for everyone else', async () => {
    const body = { ids: ['mod_00000000000000000000'], decision: 'dismiss' };
    for (const person of [owner, null]) {
      expect(await take('/api/moderation/cases', person)).toBe(404);
      expect(await take('/api/moderation/cases/mod_00000000000000000000', person)).toBe(404);
      expect(await take('/api/moderation/activity', person)).toBe(404);
      expect((await asBrowser(parley, person)('/api/moderation/decisions', { body })).status).toBe(404);
    }
    const bearer = { authorization: `Bearer ${judge.accessToken}` };
    expect((await fetch(`${parley.url}/api/moderation/cases`, { headers: bearer })).status).toBe(404);
  });

  it('AUZ-4 is not available to a moderator whose email address is unverified', async () => {
    await query('unprove', 'UPDATE "user" SET email_verified = NULL WHERE id = $1', [judge.userId]);
    expect(await take('/api/moderation/cases', judge)).toBe(404);
    await query('prove', 'UPDATE "user" SET email_verified = now() WHERE id = $1', [judge.userId]);
    expect(await take('/api/moderation/cases', judge)).toBe(200);
  });

  it('AUZ-4 requires moderators to sign in again after 15 minutes', async () => {
    const old = `UPDATE session SET signed_in_at = now() - interval '16 minutes' WHERE user_id = $1 RETURNING id`;
    const [session] = await query<{ id: string }>('age-session', old, [judge.userId]);
    await query('tell-session', `SELECT pg_notify('parley', $1)`, [`* credential ${session?.id}`]);
    await waitFor(
      async () => {
        const response = await asBrowser(parley, judge)('/api/moderation/cases');
        return response.status === 403 && ((await response.json()) as { code: string }).code === 'sign_in_again';
      },
      { what: 'the need for a fresh sign-in' },
    );
    await query('renew-session', 'UPDATE session SET signed_in_at = now() WHERE user_id = $1', [judge.userId]);
    await query('tell-session', `SELECT pg_notify('parley', $1)`, [`* credential ${session?.id}`]);
    await waitFor(async () => (await take('/api/moderation/cases', judge)) === 200, { what: 'the fresh sign-in' });
  });

  it('accepts reports of illegal content from anyone and other reports from members, with a receipt', async () => {
    const refused = await asBrowser(parley, null)('/api/reports', {
      body: { kind: 'agent', id: slug, reason: 'spam' },
    });
    expect(refused.status).toBe(401);
    const receipt = await report(parley, null, {
      kind: 'agent',
      id: slug,
      reason: 'illegal',
      details: 'It sells fakes.',
    });
    expect(receipt).toMatchObject({ kind: 'agent', title: 'Suspect', state: 'open', decidedAt: null });
    const seen = await fetch(`${parley.url}/api/reports/${receipt.id}`);
    expect(await seen.json()).toEqual(receipt);
    expect(await take('/api/reports/rpt_00000000000000000000')).toBe(404);

    const own = await report(parley, ada, { kind: 'agent', id: slug, reason: 'scam' });
    expect((await report(parley, ada, { kind: 'agent', id: slug, reason: 'harmful' })).id).toBe(own.id);
    const found = await moderator.caseOf('Suspect');
    expect(found).toMatchObject({ reports: 2, path: `/agents/${slug}`, removedBefore: 0 });
  });

  it.each([
    [{ kind: 'agent', id: 'no-such-agent', reason: 'scam' }, 404],
    [{ kind: 'agent', id: 'x', reason: 'fake' }, 400],
    [{ kind: 'person', id: 'x', reason: 'illegal' }, 400],
    [{ kind: 'review', id: 'rev_00000000000000000000', reason: 'illegal' }, 404],
  ])('rejects the report %j with %i', async (body, status) => {
    expect((await asBrowser(parley, ada)('/api/reports', { body })).status).toBe(status);
  });

  it('finds cases by title, report, type and reason, and treats no search character as a wildcard', async () => {
    const found = async (filter: Record<string, string>): Promise<string[]> => {
      const response = await asBrowser(parley, judge)(`/api/moderation/cases?${new URLSearchParams(filter)}`);
      expect(response.status, JSON.stringify(filter)).toBe(200);
      const { items, counts } = (await response.json()) as Queue;
      expect(counts.open).toBe(items.length);
      return items.map(({ title }) => title);
    };
    const { id, reportList } = await caseDetail();
    for (const q of ['SUSPECT', 'sells fakes', id, reportList[0]?.id ?? ''])
      expect(await found({ q })).toEqual(['Suspect']);
    expect(await found({ kind: 'agent', reason: 'scam' })).toEqual(['Suspect']);
    const hostile = ['%', '_', "' OR 1=1 --", '\\', '$1'];
    for (const q of hostile) expect(await found({ q })).toEqual([]);
    const others: Record<string, string>[] = [{ kind: 'review' }, { reason: 'spam' }, { q: 'Nothing' }];
    for (const filter of others) expect(await found(filter)).toEqual([]);
    for (const bad of [
      'kind=person',
      'reason=ugly',
      'state=all',
      'page=0',
      'page=1e9',
      `q=${'x'.repeat(101)}`,
      'order=1',
      'q=%00',
    ]) {
      expect(await take(`/api/moderation/cases?${bad}`, judge), bad).toBe(400);
    }
  });

  it('shows the reported content as it was when it was reported', async () => {
    const found = await caseDetail();
    expect(found.reportList).toHaveLength(2);
    expect(found.reportList.map(({ signedIn }) => signedIn)).toEqual([true, false]);
    expect(found.reportList[0]?.evidence).toMatchObject({ slug, name: 'Suspect', address: agent.url });
  });

  it('hides a removed agent everywhere, ends its tasks, and notifies its owner, reporters and users', async () => {
    const connection = await connectTo(parley.url, ada, slug);
    const post = { agentSlug: slug, messageId: crypto.randomUUID(), text: 'Work.', files: [] };
    agent.answer(async ({ result, gone }) => {
      result(agent03.status('t', 'working', 'On it'));
      await gone;
    });
    const posted = await asBrowser(parley, ada)('/api/chat/messages', { body: post });
    expect(posted.status, await posted.clone().text()).toBe(202);
    const { conversationId, taskId } = (await posted.json()) as { conversationId: string; taskId: string };

    const { id } = await moderator.caseOf('Suspect');
    const decided = await moderator.decide({
      ids: [id],
      decision: 'remove',
      reason: 'scam',
      statement: 'It sells fakes.',
    });
    expect(decided).toEqual([{ id, state: 'removed', problem: null }]);

    expect(await take(`/api/agents/${slug}`)).toBe(410);
    expect(await take(`/api/agents/${slug}`, ada)).toBe(410);
    expect(await take(`/api/agents/${slug}/reviews`)).toBe(410);
    expect(await take(`/agents/${slug}/.well-known/agent-card.json`)).not.toBe(200);
    expect(await take(`/agents/${slug}.md`)).toBe(410);
    for (const path of ['/api/agents', '/feed.xml', '/sitemap.xml', '/sitemaps/1', '/llms.txt']) {
      expect(await (await fetch(`${parley.url}${path}`)).text(), path).not.toContain(`/agents/${slug}"`);
    }
    const { status } = await rpc(connection, 'message/send', message03('hello'));
    expect(status).not.toBe(200);
    const again = { conversationId, messageId: crypto.randomUUID(), text: 'More.', files: [] };
    const refused = await asBrowser(parley, ada)('/api/chat/messages', { body: again });
    expect([refused.status, (await refused.json()).title]).toEqual([
      410,
      expect.stringContaining('Moderators took down this agent'),
    ]);
    await waitFor(
      async () => {
        const thread = (await (await asBrowser(parley, ada)(`/api/chat/conversations/${conversationId}`)).json()) as {
          tasks: { id: string; events: { event: { status?: { state: string } } }[] }[];
        };
        const notified = thread.tasks.find((task) => task.id === taskId)?.events.at(-1)?.event.status?.state;
        return notified === 'canceled';
      },
      { what: 'the end of the task', timeout: 15_000 },
    );
    await waitFor(() => mailsTo(parley, owner.email).length >= 1 && mailsTo(parley, ada.email).length >= 1, {
      what: 'the mails',
      timeout: 15_000,
    });
    expect(mailsTo(parley, owner.email)[0]).toContain(`/appeals/${id}`);
    expect(mailsTo(parley, ada.email)).toHaveLength(1);
    expect(mailsTo(parley, ada.email)[0]).toContain('Thank you for your report');
  });

  it('allows the owner to read a removed agent, but not to change it', async () => {
    expect(await take(`/api/agents/${slug}`, owner)).toBe(200);
    const patched = await asBrowser(parley, owner)(`/api/agents/${slug}`, {
      method: 'PATCH',
      body: { status: 'active' },
    });
    expect(patched.status).toBe(409);
    expect((await asBrowser(parley, owner)(`/api/agents/${slug}`, { method: 'DELETE' })).status).toBe(409);
    await listAgent(parley.url, owner, { url: agent.url });
    expect(await take(`/api/agents/${slug}`)).toBe(410);
  });

  it('decides no case twice, and reports this for each case in a batch', async () => {
    const { id } = await moderator.caseOf('Suspect', 'removed');
    const decided = await moderator.decide({ ids: [id, 'mod_00000000000000000000'], decision: 'dismiss' });
    expect(decided).toEqual([
      { id, state: null, problem: expect.stringContaining('is now removed') },
      { id: 'mod_00000000000000000000', state: null, problem: expect.any(String) },
    ]);
  });

  it('AUZ-1 accepts one appeal, and only from the owner', async () => {
    const { id } = await moderator.caseOf('Suspect', 'removed');
    const path = `/api/moderation/cases/${id}/appeal`;
    expect((await asBrowser(parley, ada)(path, { body: { text: 'Please.' } })).status).toBe(404);
    const appealed = await asBrowser(parley, owner)(path, { body: { text: 'We sell no fakes.' } });
    expect(appealed.status).toBe(200);
    expect((await appealed.json()) as OwnCase).toMatchObject({ state: 'appealed', mayAppeal: false });
    expect((await asBrowser(parley, owner)(path, { body: { text: 'Again.' } })).status).toBe(409);
    expect((await moderator.caseOf('Suspect', 'appealed')).id).toBe(id);
  });

  it('restores an agent completely, notifies everyone, and keeps the full history in the case and the audit log', async () => {
    const { id } = await moderator.caseOf('Suspect', 'appealed');
    expect(await moderator.decide({ ids: [id], decision: 'restore' })).toMatchObject([{ state: 'restored' }]);
    const view = (await (await fetch(`${parley.url}/api/agents/${slug}`)).json()) as {
      status: string;
      visibility: string;
    };
    expect(view).toMatchObject({ status: 'active', visibility: 'public' });
    expect(await (await fetch(`${parley.url}/api/agents?q=Suspect`)).text()).toContain(slug);
    finishesAtOnce(agent);
    await use(parley, ada, slug);
    await waitFor(() => mailsTo(parley, owner.email).length >= 2, { what: 'the mail', timeout: 15_000 });

    const found = (await (await asBrowser(parley, judge)(`/api/moderation/cases/${id}`)).json()) as CaseDetail;
    expect(found.steps.map(({ state, role }) => `${state} ${role}`)).toEqual([
      'removed moderator',
      'appealed owner',
      'restored moderator',
    ]);
    const events = await query<{ event: string }>(
      'case-audit',
      'SELECT event FROM audit_entry WHERE object = $1 ORDER BY seq',
      [id],
    );
    expect(events.map(({ event }) => event)).toEqual([
      'moderation.reported',
      'moderation.reported',
      'moderation.decided',
      'moderation.appealed',
      'moderation.decided',
    ]);
  });

  it('counts reports and decisions for each week, by reason and outcome', async () => {
    const { waiting, weeks, medianHours, reasons, latest } = await activity();
    expect(weeks).toHaveLength(12);
    expect(weeks.map(({ week }) => week)).toEqual(weeks.map(({ week }) => week).toSorted());
    const sums = { reports: 0, dismissed: 0, removed: 0, restored: 0, upheld: 0, appeals: 0 };
    for (const week of weeks) for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += week[key];
    expect(sums).toEqual({ reports: 2, dismissed: 0, removed: 1, restored: 1, upheld: 0, appeals: 1 });
    expect(medianHours).toBeGreaterThanOrEqual(0);
    expect(waiting).toMatchObject({ open: 0, oldestOpenAt: null, appealed: 0, oldestAppealAt: null });
    expect(reasons).toEqual([
      { reason: 'illegal', open: 0, dismissed: 0, removed: 0, restored: 1 },
      { reason: 'scam', open: 0, dismissed: 0, removed: 0, restored: 1 },
    ]);
    expect(latest.map(({ title, state }) => `${title} ${state}`)).toEqual(['Suspect restored', 'Suspect removed']);
  });

  it.each([
    ['PATCH', { status: 'deprecated' }],
    ['DELETE', undefined],
  ])('keeps a removal in force if a %s by the owner was in progress', async (method, body) => {
    const answer = await whileLocked(
      (tx) => tx.$executeRaw`UPDATE agent SET status = 'suspended' WHERE slug = ${slug}`,
      () => asBrowser(parley, owner)(`/api/agents/${slug}`, { method, body }),
    );
    expect(answer.status, await answer.text()).toBe(409);
    const back = `UPDATE agent SET status = 'active' WHERE slug = $1 AND status = 'suspended' RETURNING id`;
    expect(await query('test-lift', back, [slug])).toHaveLength(1);
  });

  it('hides a review, which is no longer counted, and can restore it', async () => {
    const own = `/api/agents/${slug}/reviews/own`;
    const text = 'Buy at my shop instead.';
    expect((await asBrowser(parley, ada)(own, { method: 'PUT', body: { stars: 1, text } })).status).toBe(201);
    const reviews = async (): Promise<{ summary: { count: number }; items: { id: string }[] }> =>
      (await (await fetch(`${parley.url}/api/agents/${slug}/reviews`)).json()) as never;
    const reviewId = (await reviews()).items[0]?.id ?? '';
    const receipt: Receipt = await report(parley, owner, { kind: 'review', id: reviewId, reason: 'spam' });
    const { id } = await moderator.caseOf('Review of Suspect');
    await moderator.decide({ ids: [id], decision: 'remove', reason: 'spam' });
    expect(await reviews()).toMatchObject({ summary: { count: 0 }, items: [] });
    expect((await asBrowser(parley, ada)(own, { method: 'PUT', body: { stars: 1, text } })).status).toBe(200);
    expect((await reviews()).summary.count).toBe(0);
    // Deleting and rewriting it does not restore it either.
    expect((await asBrowser(parley, ada)(own, { method: 'DELETE' })).status).toBe(204);
    expect((await asBrowser(parley, ada)(own, { method: 'DELETE' })).status).toBe(404);
    expect((await asBrowser(parley, ada)(own, { method: 'PUT', body: { stars: 1, text } })).status).toBe(200);
    expect(await reviews()).toMatchObject({ summary: { count: 0 }, items: [] });
    expect(((await (await fetch(`${parley.url}/api/reports/${receipt.id}`)).json()) as Receipt).state).toBe('removed');
    await moderator.decide({ ids: [id], decision: 'restore' });
    expect((await reviews()).summary.count).toBe(1);
  });

  it('notifies the current owner of a removal, not the owner at the time of the report', async () => {
    const other = await ScriptedAgent.start({ name: `Handed over` });
    const id = await listAgent(parley.url, owner, { url: other.url });
    const heir = await createPerson(parley.url, 'Heir');
    await report(parley, ada, { kind: 'agent', id, reason: 'spam' });
    const as = (person: Person, path: string, body: object) => asBrowser(parley, person)(path, { body });
    const invited = await as(owner, `/api/agents/${id}/invitations`, { email: heir.email, role: 'developer' });
    const token = ((await invited.json()) as { url: string }).url.split('/').pop();
    expect((await as(heir, '/api/invitations/accept', { token })).status).toBe(200);
    const { members } = (await (await asBrowser(parley, owner)(`/api/agents/${id}/team`)).json()) as {
      members: { id: string; email: string }[];
    };
    const memberId = members.find(({ email }) => email === heir.email)?.id;
    expect((await as(owner, `/api/agents/${id}/transfer`, { memberId })).status).toBe(204);

    const notified = (person: Person) =>
      mailsTo(parley, person.email).filter((text) => text.includes(`Taken down: the agent ${id}`));
    const found = await moderator.caseOf(`Handed over`);
    await moderator.decide({ ids: [found.id], decision: 'remove', reason: 'spam' });
    await waitFor(() => notified(heir).length === 1, { what: 'the mail', timeout: 15_000 });
    expect(notified(owner)).toEqual([]);
    await other.stop();
  });

  it('limits reports from one IP address without an account, and says when to retry', async () => {
    const other = await ScriptedAgent.start({ name: 'Flooded' });
    const id = await listAgent(parley.url, owner, { url: other.url });
    const body = { kind: 'agent', id, reason: 'illegal' };
    const headers = { 'x-forwarded-for': '198.18.0.1' };
    const statuses: number[] = [];
    let last: Response | undefined;
    while (statuses.length < 6 && last?.status !== 429) {
      last = await asBrowser(parley, null)('/api/reports', { body, headers });
      statuses.push(last.status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    await other.stop();
  });
});
