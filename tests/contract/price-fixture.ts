import type { PriceTerms, TaskCharges } from '@/lib/payments/schema-plans';
import { db } from '@/lib/platform/db/db';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { waitFor } from '../support/wait-for';

export const perTask = { kind: 'task', currency: 'EUR', amount: 50 };

export interface Listed {
  agent: ScriptedAgent;
  slug: string;
  id: string;
}

interface Ending {
  state?: string;
  /** The text of its artifact; none if it is empty. */
  output?: string;
  metadata?: object;
}

/** Each message is answered by a task with this ending. */
export function completing(
  agent: ScriptedAgent,
  { state = 'completed', output = 'Done', metadata }: Ending = {},
): void {
  agent.answer(({ json, received }) => {
    const id = received.params.message?.taskId ?? newUuid();
    const task = agent03.task(id, state, output === '' ? [] : [output]);
    json({ jsonrpc: '2.0', id: received.id, result: { ...task, ...(metadata && { metadata }) } });
  });
}

/** A seller's agents with prices, and those who pay them. */
export class PricedAgents {
  constructor(
    readonly url: string,
    readonly seller: Person,
  ) {}

  async list(plan: object): Promise<Listed> {
    const agent = await ScriptedAgent.start({ streaming: false });
    completing(agent);
    const slug = await listAgent(this.url, this.seller, { url: agent.url });
    const response = await this.setPlans(slug, [plan]);
    if (response.status !== 200) throw new Error(await response.text());
    const { id } = await db().agent.findUniqueOrThrow({ where: { slug }, select: { id: true } });
    return { agent, slug, id };
  }

  setPlans(slug: string, pricePlans: object[]): Promise<Response> {
    const bearer = this.seller.accessToken;
    return send(`${this.url}/api/agents/${slug}`, { method: 'PATCH', bearer, body: { pricePlans } });
  }

  /** A request of the user's browser. */
  ask(person: Person, path: string, call: { method?: string; body?: unknown } = {}): Promise<Response> {
    return send(`${this.url}${path}`, { ...call, cookie: person.cookie, origin: this.url });
  }

  async termsFor(person: Person, slug: string): Promise<PriceTerms> {
    const response = await this.ask(person, `/api/price-approvals/agents/${slug}`);
    return (await response.json()) as PriceTerms;
  }

  async approve(person: Person, slug: string, more: object = {}): Promise<Response> {
    const { plans } = await this.termsFor(person, slug);
    const body = { agent: slug, planId: plans[0]?.id, total: 1_000, ...more };
    return this.ask(person, '/api/price-approvals', { body });
  }

  /** A user who has approved the price. */
  async newBuyer(slug: string, more: object = {}): Promise<Person> {
    const buyer = await createPerson(this.url, 'Bea');
    const response = await this.approve(buyer, slug, more);
    if (response.status !== 200) throw new Error(await response.text());
    return buyer;
  }

  async chargesOf(person: Person): Promise<TaskCharges['items']> {
    const response = await this.ask(person, '/api/task-charges');
    return ((await response.json()) as TaskCharges).items;
  }

  /** The buyer's only charge, once it is settled. */
  settledCharge(person: Person): Promise<TaskCharges['items'][number]> {
    return waitFor(
      async () => {
        const [charge, ...others] = await this.chargesOf(person);
        if (others.length > 0) throw new Error(`${others.length} more charges`);
        return charge && charge.state !== 'authorized' ? charge : null;
      },
      { what: 'the charge to be settled' },
    );
  }
}
