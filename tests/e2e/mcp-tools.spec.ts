import { McpHttpServer } from '../fakes/mcp-http-server';
import { listAgent } from '../support/fixtures';
import { expect, field, history, say, test } from './chat-fixture';
import { violationsOn } from './expect-no-violations';

/** The tools of an MCP server in the chat: the choice, the form of one, its answer, and a question in the middle of a call. */
const booking = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Where to stay' },
    from: { type: 'string', format: 'date', title: 'Arrival' },
    guests: { type: 'integer', minimum: 1, maximum: 8, default: 2 },
    room: { enum: ['Single', 'Double', 'Suite'] },
    breakfast: { type: 'boolean', title: 'With breakfast' },
    contact: { $ref: '#/$defs/contact' },
  },
  required: ['city', 'from', 'room'],
  $defs: { contact: { type: 'object', properties: { email: { type: 'string', format: 'email' } } } },
};
const confirmation = { type: 'object', properties: { late: { type: 'boolean', title: 'We arrive after 22:00' } } };

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    const isNightly = (colorScheme === 'dark') === width > 360;
    test.describe(`the tools of a server, ${colorScheme}, ${width} px`, { tag: isNightly ? '@nightly' : [] }, () => {
      test.use({ colorScheme, viewport: { width, height: 740 }, contextOptions: { reducedMotion: 'reduce' } });

      test('are chosen, filled in as a form, and answered', async ({ page, fixture }) => {
        const server = await McpHttpServer.start();
        server.tools = [
          { name: 'find_rooms', title: 'Find rooms', description: 'Lists free rooms', inputSchema: { type: 'object' } },
          { name: 'book_room', title: 'Book a room', description: 'Books a room in a city', inputSchema: booking },
        ];
        server.onCall(async ({ args, ask, say: answer }) => {
          const { content } = await ask('elicitation/create', {
            message: 'One more thing.',
            requestedSchema: confirmation,
          });
          answer(`Booked in ${String(args.city)}. ${JSON.stringify(content)}`);
        });
        const slug = await listAgent(fixture.parley.url, fixture.person, { url: server.url });
        await page.goto(`/chat/new?agent=${slug}`);
        await say(page, 'I need a room');
        await page.waitForURL(/\/chat\/cnv_/);
        const form = page.getByRole('form', { name: /^Question from / });
        await form.getByText('Book a room: Books a room in a city').click();
        await form.getByRole('button').last().click();
        await form.getByRole('textbox', { name: 'City' }).fill('Oslo');
        await form.getByLabel('Arrival').fill('2030-06-01');
        await form.getByText('Double').click();
        expect(await violationsOn(page), 'filled in').toEqual([]);
        await form.getByRole('button', { name: 'Call', exact: true }).click();
        await form.getByText('We arrive after 22:00').click();
        await form.getByRole('button').last().click();
        await expect(history(page).getByText('Booked in Oslo. {"late":true}')).toBeVisible();
        const call = server.received.find(({ method }) => method === 'tools/call');
        const args = { city: 'Oslo', from: '2030-06-01', guests: 2, room: 'Double', breakfast: false };
        expect(call?.params).toMatchObject({ name: 'book_room', arguments: args });
        await expect(field(page)).toBeEnabled();
        await server.stop();
      });
    });
  }
}
