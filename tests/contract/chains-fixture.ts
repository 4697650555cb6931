import type { ChainView } from '@/lib/tasks/schema-chains';
import type { NewClientSecret } from '@/lib/tokens/schema';
import * as agent03 from '../fakes/a2a03';
import { type Exchange, ScriptedAgent } from '../fakes/scripted-agent';
import { type Connection, listAgent, message03, type Person, post, rpc, send, tokenFor } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { createApp, createTokensFixture, postForm, type TokensFixture } from './tokens-fixture';

const exchange = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
};

/** An agent with its own app, as a developer runs it. */
export interface OwnedAgent {
  agent: ScriptedAgent;
  slug: string;
  app: NewClientSecret;
}

/** A root task whose agent works until `finish`. */
export interface RootTask {
  id: string;
  /** The token that Parley gave the agent with the call. */
  token: string;
  finish: () => void;
}

export interface ChainsFixture extends TokensFixture {
  createAgent(name: string): Promise<OwnedAgent>;
}

export async function createChainsFixture(): Promise<ChainsFixture> {
  const fixture = await createTokensFixture();
  const agents: ScriptedAgent[] = [];
  return {
    ...fixture,
    createAgent: async (name) => {
      const agent = await ScriptedAgent.start({ name });
      agents.push(agent);
      const app = await createApp(fixture.url, fixture.developer, name);
      const slug = await listAgent(fixture.url, fixture.developer, { url: agent.url, appId: app.id });
      return { agent, slug, app };
    },
    close: async () => {
      await Promise.all(agents.map((agent) => agent.stop()));
      await fixture.close();
    },
  };
}

/** Makes the agent work on every call until the returned function is called. */
export function holdAnswers({ agent }: OwnedAgent): () => void {
  const open = new Set<Exchange>();
  agent.answer(async (call) => {
    if (call.received.method === 'tasks/cancel') {
      call.json({
        jsonrpc: '2.0',
        id: call.received.id,
        result: agent03.status(call.received.params.id ?? '', 'canceled'),
      });
      return;
    }
    open.add(call);
    call.result(agent03.status(call.received.params.message?.messageId ?? '', 'working'));
    await call.gone;
    open.delete(call);
  });
  return () => {
    for (const call of open) {
      call.result(agent03.status(call.received.params.message?.messageId ?? '', 'completed', 'done'));
      call.end();
    }
  };
}

/** Sends a message to an agent that works until `finish`. */
export async function startRoot(url: string, person: Person, boss: OwnedAgent): Promise<RootTask> {
  const finish = holdAnswers(boss);
  const before = boss.agent.received.length;
  const connection = connectTo(url, boss, await tokenFor(url, person, boss.slug));
  const configuration = { blocking: false };
  const { body } = await rpc(connection, 'message/send', { ...message03('Find out.'), configuration });
  const { id } = body.result as { id: string };
  await waitFor(() => boss.agent.received.length > before, { what: 'the call of the agent' });
  const { headers } = boss.agent.received.at(-1) ?? {};
  return { id, token: String(headers?.authorization).replace('Bearer ', ''), finish };
}

export function connectTo(url: string, { slug }: { slug: string }, token: string): Connection {
  return { url: `${url}/agents/${slug}/a2a/jsonrpc`, token };
}

/** Exchanges an upstream token of `from` for one to call `to`. */
export async function exchangeFor(
  url: string,
  [from, to]: [OwnedAgent, OwnedAgent],
  subject: string,
): Promise<Record<string, unknown>> {
  const form = { ...exchange, subject_token: subject, resource: `${url}/agents/${to.slug}` };
  return (await (await postForm(`${url}/api/auth/token`, form, from.app)).json()) as Record<string, unknown>;
}

/** The response to an agent's send to another agent. */
export interface Hired {
  status: number;
  body: {
    result?: { id: string; status: { state: string } };
    error?: { code: number; message: string; data: { reason: string } };
  };
}

/** A send of `from`, which works on `root`, to another agent. */
export async function hire(
  url: string,
  [from, to]: [OwnedAgent, OwnedAgent],
  {
    root,
    text,
    more = {},
    signal,
  }: { root: Pick<RootTask, 'token'>; text: string; more?: object; signal?: AbortSignal },
): Promise<Hired> {
  const { access_token } = await exchangeFor(url, [from, to], root.token);
  const connection = { ...connectTo(url, to, String(access_token)), signal };
  const params = { ...message03(text, more), configuration: { blocking: false } };
  const response = await post(connection, { jsonrpc: '2.0', id: 'q', method: 'message/send', params });
  return { status: response.status, body: (await response.json()) as Hired['body'] };
}

export async function setHiring(
  url: string,
  person: Person,
  { agent: { slug }, hire }: { agent: OwnedAgent; hire: 'never' | 'ask' | 'yes' },
): Promise<void> {
  const response = await send(`${url}/api/grants/${slug}`, {
    method: 'PUT',
    body: { scopes: [], hire },
    cookie: person.cookie,
    origin: url,
  });
  if (response.status !== 204) throw new Error(`grant: ${response.status} ${await response.text()}`);
}

/** A request of the person about the chain of a root task. */
export function askChain(
  url: string,
  person: Person,
  { rootTaskId, path = '', body, method }: { rootTaskId: string; path?: string; body?: object; method?: string },
): Promise<Response> {
  const address = `${url}/api/chat/chains/${rootTaskId}${path}`;
  return send(address, { cookie: person.cookie, origin: url, body, method });
}

export async function chainOf(url: string, person: Person, { id }: Pick<RootTask, 'id'>): Promise<ChainView> {
  const response = await askChain(url, person, { rootTaskId: id });
  if (response.status !== 200) throw new Error(`chain: ${response.status} ${await response.text()}`);
  return (await response.json()) as ChainView;
}

/** The first pending approval, once there is one. */
export async function approvalOf(url: string, person: Person, root: RootTask): Promise<ChainView['approvals'][number]> {
  return waitFor(
    async () => {
      const response = await askChain(url, person, { rootTaskId: root.id });
      return response.status === 200 ? ((await response.json()) as ChainView).approvals[0] : undefined;
    },
    { what: 'an approval' },
  );
}

export function decide(
  url: string,
  person: Person,
  { root, id, body }: { root: RootTask; id: string; body: object },
): Promise<Response> {
  return askChain(url, person, { rootTaskId: root.id, path: `/approvals/${id}`, body });
}

/** The body that allows what this approval shows. */
export function allow({ contentHash }: ChainView['approvals'][number]): object {
  return { decision: 'allow', contentHash };
}
