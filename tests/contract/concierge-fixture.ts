import type { SearchPage } from '@/lib/discovery/schema';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Connection, connectTo, createPerson, listAgent, message03, type Person, rpc } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

/** A task in A2A 0.3, with the decision of the concierge. */
export interface RoutedTask {
  id: string;
  contextId: string;
  status: {
    state: string;
    message?: { parts: { kind: string; text?: string; data?: { kind: string; reason: string; choices: Choice[] } }[] };
  };
  artifacts?: { parts: { text: string }[] }[];
  metadata?: {
    'parley.routing'?: {
      state: string;
      by: string | null;
      reason: string | null;
      agent: string | null;
      score: number | null;
      lead: number | null;
      semantic: string;
      candidates: { agent: string; score: number | null }[];
      override: boolean;
      task: string | null;
    };
    executor?: { name: string };
    skill_used?: string;
  };
}

export interface Choice {
  agent: string;
  name: string;
  skill: { id: string; name: string } | null;
  price: { kind: string };
  score: number | null;
}

/** An agent that answers with its name and the received text. */
export interface NamedAgent {
  agent: ScriptedAgent;
  slug: string;
  name: string;
}

export interface ConciergeFixture {
  parley: Parley;
  url: string;
  ada: Person;
  concierge: Connection;
  close(): Promise<void>;
}

export const conciergeEnv = { CONCIERGE: 'on', EMBEDDINGS: 'on', AGENT_URL_ALLOW: 'http://127.0.0.1:*' };

export async function startConciergeFixture(env: Record<string, string> = {}): Promise<ConciergeFixture> {
  const parley = await startParley({ env: { ...conciergeEnv, ...env } });
  const ada = await createPerson(parley.url, 'Ada');
  const concierge = await connectTo(parley.url, ada, 'concierge');
  return { parley, url: parley.url, ada, concierge, close: () => parley.stop() };
}

/** Waits until the search by meaning includes the listed agents. */
export async function meaningsCompared({ url }: Pick<Parley, 'url'>, slugs: string[], text: string): Promise<void> {
  const isFound = async (): Promise<boolean> => {
    const response = await fetch(`${url}/api/agents?limit=30&q=${encodeURIComponent(text)}`);
    const page = (await response.json()) as SearchPage;
    const found = page.items.filter(({ match }) => match?.semantic != null).map(({ slug }) => slug);
    return page.semantic === 'on' && slugs.every((slug) => found.includes(slug));
  };
  // Searches are limited per address. A batch that times out on a busy machine is retried after half a minute.
  await waitFor(isFound, { timeout: 100_000, pollMs: 500, what: 'the vectors of the agents' });
}

interface Skill {
  name: string;
  description: string;
  examples?: string[];
}

/** Lists an agent that answers `<name>: <text>`. */
export async function listNamedAgent(
  url: string,
  owner: Person,
  {
    name,
    description,
    skill,
    extensions = [],
  }: { name: string; description: string; skill: Skill; extensions?: string[] },
): Promise<NamedAgent> {
  const agent = await ScriptedAgent.start({ name, extensions });
  const skills = [{ id: 'main', tags: [], examples: [], ...skill }];
  agent.pages['/.well-known/agent-card.json'] = { ...agent.card, description, skills };
  answerWithName(agent, name);
  const slug = await listAgent(url, owner, { url: agent.url });
  return { agent, slug, name };
}

export function answerWithName(agent: ScriptedAgent, name: string): void {
  let tasks = 0;
  agent.answer(({ received, json }) => {
    tasks += 1;
    const { message } = received.params;
    const text = message?.parts.map((part) => part.text ?? '').join(' ') ?? '';
    const status = { state: 'completed' };
    const artifacts = [{ artifactId: 'answer', parts: [{ kind: 'text', text: `${name}: ${text}` }] }];
    const id = message?.taskId ?? `${name} ${tasks}`;
    const result = { kind: 'task', id, contextId: message?.contextId ?? 'context', status, artifacts, history: [] };
    json({ jsonrpc: '2.0', id: received.id, result });
  });
}

/** Sends a text to the concierge and returns the task at the end of the turn. */
export async function tell(
  connection: Connection,
  text: string,
  { message = {}, ...params }: { message?: object; metadata?: object; configuration?: object } = {},
): Promise<RoutedTask> {
  const { body } = await rpc(connection, 'message/send', { ...message03(text, message), ...params });
  if (!body.result) throw new Error(JSON.stringify(body.error));
  return body.result as RoutedTask;
}

/** Replies within the task. */
export function reply(connection: Connection, { id, contextId }: RoutedTask, text: string): Promise<RoutedTask> {
  return tell(connection, text, { message: { taskId: id, contextId } });
}

export function routingOf({
  metadata,
}: RoutedTask): NonNullable<NonNullable<RoutedTask['metadata']>['parley.routing']> {
  const routing = metadata?.['parley.routing'];
  if (!routing) throw new Error('the task has no decision');
  return routing;
}

export function choicesOf({ status }: RoutedTask): Choice[] {
  return status.message?.parts.find((part) => part.data)?.data?.choices ?? [];
}

export function textOf({ status, artifacts }: RoutedTask): string {
  const parts = [...(artifacts ?? []).flatMap((artifact) => artifact.parts), ...(status.message?.parts ?? [])];
  return parts.map(({ text }) => text ?? '').join('');
}
