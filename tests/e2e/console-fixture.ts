import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { AgentView } from '@/lib/catalog/schema';
import type { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { connectTo, message03, rpc, send } from '../support/fixtures';
import { expect } from '../support/page';
import { setting } from '../support/settings';
import type { Account } from './people';

/** The address of a new agent with this card. */
export function serveClerk(cards: CardServer, change: object = {}): string {
  const path = randomUUID();
  return cards.serve(path, cardV10(cards.base(path), { name: `Clerk ${path.slice(0, 8)}`, ...change }));
}

/**
 * Makes the agent's card due now instead of in an hour; waits until Parley has found one that needs approval, other
 * than the `known` one. Returns its digest.
 */
export async function cardWaits(owner: Account, slug: string, known?: string): Promise<string> {
  const client = new Client({ connectionString: setting('databaseUrl') });
  await client.connect();
  const due =
    'UPDATE card_refresh_state SET next_check_at = now() WHERE agent_id = (SELECT id FROM agent WHERE slug = $1)';
  await client.query(due, [slug]);
  await client.end();
  let digest: string | undefined;
  const look = async (): Promise<boolean> => {
    const response = await send(`${setting('parleyUrl')}/api/agents/${slug}`, { bearer: owner.accessToken });
    digest = ((await response.json()) as AgentView).card?.waiting?.digest;
    return digest !== undefined && digest !== known;
  };
  await expect.poll(look, { timeout: 30_000 }).toBe(true);
  return digest ?? '';
}

/** The user requests pushes to a receiver that is gone; waits until one is abandoned. Returns the task. */
export async function pushInVain(person: Account, receiver: string): Promise<string> {
  const parley = setting('parleyUrl');
  const configuration = { blocking: true, pushNotificationConfig: { id: 'hook', url: receiver } };
  const connection = await connectTo(parley, person, 'conformance');
  const { body } = await rpc(connection, 'message/send', { ...message03('hello'), configuration });
  const { id } = body.result as { id: string };
  const count = async (): Promise<number> => {
    const response = await send(`${parley}/api/push/dead-letters`, { bearer: person.accessToken });
    return ((await response.json()) as { items: { taskId: string }[] }).items.filter(({ taskId }) => taskId === id)
      .length;
  };
  await expect.poll(count, { timeout: 30_000 }).toBe(1);
  return id;
}
