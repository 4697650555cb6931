import { type Message, Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderView } from '@/lib/payments/schema';
import { approve, ask, ordersOf, reaches, review } from '../contract/payments-fixture';
import { StripeDouble } from '../fakes/stripe/stripe-double';
import { connectTo, createPerson } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { ChatClient } from './chat-fixture';

const slugs = ['calendar', 'illustrator', 'quiz', 'regex-helper'];
let stripe: StripeDouble;
let parley: Parley;

beforeAll(async () => {
  stripe = await StripeDouble.start();
  parley = await startParley({ env: { DEMO: '1', ...stripe.env } });
  stripe.notify(parley.url);
  await waitFor(async () => slugs.every((slug) => onlineSlugs.includes(slug)) || (await refresh()), {
    what: 'the agents',
    timeout: 20_000,
  });
});

afterAll(async () => {
  await parley?.stop();
  await stripe?.stop();
});

let onlineSlugs: string[] = [];

async function refresh(): Promise<false> {
  const response = await fetch(`${parley.url}/api/agents?presence=online`);
  onlineSlugs = ((await response.json()) as { items: { slug: string }[] }).items.map(({ slug }) => slug);
  return false;
}

/** The official client, as somebody uses it at Parley. */
async function clientOf(slug: string): Promise<Client> {
  const { token } = await connectTo(parley.url, await createPerson(parley.url), slug);
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  const transports = [new JsonRpcTransportFactory({ fetchImpl })];
  const factory = new ClientFactory({ transports, cardResolver: new DefaultAgentCardResolver({ fetchImpl }) });
  return factory.createFromUrl(`${parley.url}/agents/${slug}/`);
}

async function send(client: Client, parts: object[], taskId = ''): Promise<Task> {
  const message: Message = {
    messageId: crypto.randomUUID(),
    contextId: '',
    taskId,
    role: Role.ROLE_USER,
    parts: parts.map((part) => Part.fromJSON(part)),
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  const answer = await client.sendMessage({ tenant: '', message, configuration: undefined, metadata: undefined });
  if (!('status' in answer)) throw new Error('a message came, not a task');
  return answer;
}

function partsOf(task: Task): Part[] {
  const asked = task.status?.message?.parts ?? [];
  return [...task.artifacts.flatMap(({ parts }) => parts), ...asked];
}

function wordsOf(task: Task): string {
  return partsOf(task)
    .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
    .join('\n');
}

const { TASK_STATE_INPUT_REQUIRED: ASKS, TASK_STATE_COMPLETED: DONE } = TaskState;

describe.each(slugs)('the demo agent %s', (slug) => {
  test.each([
    ['an empty text', [{ text: ' ' }]],
    ['unknown data', [{ data: { a: [1] } }]],
    ['a file', [{ raw: 'AAH/', filename: 'b.bin', mediaType: 'application/octet-stream' }]],
    ['nonsense', [{ text: 'qzx '.repeat(500) }]],
  ])('asks a question if it receives %s', async (_name, parts) => {
    const task = await send(await clientOf(slug), parts);
    expect(task.status?.state).toBe(ASKS);
    expect(wordsOf(task)).toMatch(/\?/);
  });

  test('has a complete card with working examples', { timeout: 60_000 }, async () => {
    const client = await clientOf(slug);
    const card = await client.getAgentCard();
    expect(card.documentationUrl).toBe(`${parley.url}/docs/demo-agents`);
    expect(card.description.length).toBeGreaterThan(80);
    for (const { tags, examples } of card.skills) {
      expect(Math.min(tags.length, examples.length)).toBeGreaterThan(0);
      for (const text of examples) {
        const task = await send(client, [{ text }]);
        expect([ASKS, DONE], `${text}: ${wordsOf(task)}`).toContain(task.status?.state);
      }
    }
  });

  test('is found by its function', async () => {
    const wishes: Record<string, string> = {
      illustrator: 'draw me a house',
      calendar: 'book a meeting',
      quiz: 'test me on capitals',
      'regex-helper': 'what does this regex do',
    };
    const response = await fetch(`${parley.url}/api/agents?${new URLSearchParams({ q: wishes[slug] ?? '' })}`);
    const { items } = (await response.json()) as { items: { slug: string }[] };
    expect(items[0]?.slug).toBe(slug);
  });
});

test('the illustrator returns a picture, as PNG and as safe SVG', async () => {
  const task = await send(await clientOf('illustrator'), [{ text: 'a <script>cat</script> on a red house' }]);
  expect([task.status?.state, wordsOf(task)]).toEqual([
    DONE,
    expect.stringContaining('Not drawn, because I do not know'),
  ]);
  const files = partsOf(task).filter(({ content }) => content?.$case === 'raw');
  expect(files.map(({ mediaType }) => mediaType)).toEqual(['image/png', 'image/svg+xml']);
  const [png = Buffer.of(), svg = Buffer.of()] = files.map(({ content }) => Buffer.from(content?.value));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(svg.toString()).toMatch(/^<svg [^>]*>.*<\/svg>$/);
  expect(svg.toString()).not.toMatch(/script|href|foreignObject| on\w+=/i);
});

test('the quiz continues over many turns of one task', async () => {
  const client = await clientOf('quiz');
  let task = await send(client, [{ text: 'Test me on capitals' }]);
  for (let round = 1; round <= 5; round += 1) {
    expect(wordsOf(task)).toContain(`Question ${round} of 5`);
    task = await send(client, [{ text: round === 1 ? 'hint' : 'skip' }], task.id);
    if (round === 1) {
      expect(wordsOf(task)).toContain('It starts with');
      task = await send(client, [{ text: 'skip' }], task.id);
    }
  }
  expect([task.status?.state, wordsOf(task)]).toEqual([DONE, expect.stringContaining('Your score: 0 of 5')]);
});

test('the regex helper stops a hostile expression while it answers other callers', async () => {
  const client = await clientOf('regex-helper');
  const hostile = send(client, [{ text: `/(a+)+$/\n${'a'.repeat(50)}b` }]);
  const other = await send(await clientOf('regex-helper'), [{ text: 'Explain `^a$`' }]);
  expect(wordsOf(other)).toContain('`^`: the start');
  expect(wordsOf(await hostile)).toContain('took too long, stopped');
});

describe('the calendar agent', () => {
  let buyer: ChatClient;

  beforeAll(async () => {
    buyer = new ChatClient(parley.url, await createPerson(parley.url, 'Bea'));
  });

  /** Noon is never booked by others on a day far enough ahead, or the next half hours are tried. */
  async function offer(client: ChatClient): Promise<OrderView> {
    const day = new Date(Date.now() + 8 * 86_400_000);
    while (day.getUTCDay() % 6 === 0) day.setUTCDate(day.getUTCDate() + 1);
    const date = day.toISOString().slice(0, 10);
    for (const time of ['12:00', '13:00', '14:00', '15:00']) {
      const { taskId } = await client.say({ agentSlug: 'calendar', text: `${date} at ${time} for 30 minutes` });
      const found = await waitFor(async () => (await ordersOf(client, taskId))[0] ?? null, {
        what: 'an order',
        timeout: 3_000,
      }).catch(() => null);
      if (found) return found;
    }
    throw new Error('every time is taken');
  }

  test('sells a booking only once if it is paid by card', { timeout: 60_000 }, async () => {
    const offered = await offer(buyer);
    const rival = await offer(new ChatClient(parley.url, await createPerson(parley.url, 'Otto')));
    expect(offered).toMatchObject({
      state: 'verified',
      offer: { merchantName: 'Meeting Rooms', total: { currency: 'USD', minor: 1_200 } },
    });
    expect(rival.offer?.lines).toEqual(offered.offer?.lines);
    const reviewed = await review(buyer, offered.id);
    expect((await approve(buyer, reviewed.body, { body: { method: 'card' } })).status).toBe(200);
    const { redirectUrl } = await reaches(buyer, offered.id, 'action_required');
    await fetch(redirectUrl ?? '', {
      method: 'POST',
      body: new URLSearchParams({ card: 'pm_card_visa' }),
      redirect: 'manual',
    });
    const paid = await reaches(buyer, offered.id, 'captured');
    expect(paid.merchantOrderId).toMatch(/^MR-\d{5}$/);
    expect(paid.payment).toMatchObject({ authorized: 1_200, captured: 1_200 });
  });

  test('offers a changed time as a new cart, and makes no booking if the cart is declined', async () => {
    const offered = await offer(buyer);
    const declined = await ask<OrderView>(buyer, `/api/orders/${offered.id}/decline`, { method: 'POST' });
    expect(declined.body).toMatchObject({ state: 'canceled' });
    const { id } = await offer(new ChatClient(parley.url, await createPerson(parley.url, 'Eve')));
    expect(id).not.toBe(offered.id);
  });
});
