import { expect } from 'vitest';
import type { OrderView } from '@/lib/payments/schema';
import type { StandingList, StandingReview, StandingReviewRequest } from '@/lib/payments/schema-standing';
import type { Authenticator, Flaws } from '../fakes/authenticator';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, type Person } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { addPasskey, ask, buy, offerOf, orderOf, type PaymentsFixture } from './payments-fixture';

/** A buyer with a passkey and an order that was paid with a review. */
export interface StandingBuyer {
  client: ChatClient;
  person: Person;
  key: Authenticator;
  first: OrderView;
}

/** Members that differ from {@link termsFor}. */
export type Terms = Partial<StandingReviewRequest>;

export type Failure = { code: string; title: string };

export async function newStandingBuyer(fixture: PaymentsFixture): Promise<StandingBuyer> {
  const person = await createPerson(fixture.url, 'Stan');
  const client = new ChatClient(fixture.url, person);
  const key = await addPasskey(client, fixture.url);
  const first = await buy(client, await offerOf(fixture, { client }), 'captured');
  return { client, person, key, first };
}

/** Twenty euros an order and sixty a month, for a week. */
export function termsFor({ first }: Pick<StandingBuyer, 'first'>, change: Terms = {}): StandingReviewRequest {
  const until = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const amounts = { maxPerOrder: 2_000, maxPerMonth: 6_000, maxTotal: 10_000 };
  return {
    orderId: first.id,
    ...amounts,
    frequency: 'ON_DEMAND',
    maxUses: null,
    maxPerDay: 3,
    onlySameItems: false,
    until,
    ...change,
  };
}

/** Reviews a standing approval, and sends it with the assertion of the buyer's passkey. */
export async function requestStanding(
  { client, key, ...buyer }: StandingBuyer,
  change: Terms = {},
  flaws: Flaws = {},
): ReturnType<typeof ask<StandingList & Failure>> {
  const reviewed = await ask<StandingReview>(client, '/api/standing-approvals/review', {
    body: termsFor(buyer, change),
  });
  expect(reviewed.status, JSON.stringify(reviewed.body)).toBe(200);
  const { id, passkey } = reviewed.body;
  const assertion = key.assert({ challenge: String(passkey.challenge) }, flaws);
  return ask(client, '/api/standing-approvals', { body: { id, assertion } });
}

/** The id of a new standing approval. */
export async function createStanding(buyer: StandingBuyer, change: Terms = {}): Promise<string> {
  const { status, body } = await requestStanding(buyer, change);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items[0]?.id ?? '';
}

/** The next offer, once a standing approval has paid it or failed to. */
export async function nextStandingOffer(
  fixture: PaymentsFixture,
  { client }: Pick<StandingBuyer, 'client'>,
): Promise<OrderView> {
  const { id } = await offerOf(fixture, { client });
  const decided = async (): Promise<OrderView | null> => {
    const order = await orderOf(client, id);
    return order.state === 'captured' || order.standingFailure ? order : null;
  };
  return waitFor(decided, { what: 'an automatic payment, or why there is none' });
}
