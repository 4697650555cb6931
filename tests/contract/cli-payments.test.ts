import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MerchantAgent } from '../fakes/merchant-agent';
import { CommandLine } from '../support/cli';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let merchant: MerchantAgent;
let parley: SharedParley;
let buyer: Person;
let slug: string;
/** The buyer's environment, with a token that may pay. */
let cli: CommandLine;

beforeAll(async () => {
  merchant = await MerchantAgent.start({ name: 'Pizza Sally' });
  parley = await sharedParley();
  merchant.sellAt(parley.url);
  const seller = await createPerson(parley.url, 'Sally');
  slug = await listAgent(parley.url, seller, { url: merchant.url });
  const body = { signing: 'own', issuer: merchant.url, keys: [merchant.key.jwk] };
  const merchantUrl = `${parley.url}/api/agents/${slug}/merchant`;
  const set = await send(merchantUrl, { method: 'PUT', body, cookie: seller.cookie, origin: parley.url });
  expect(set.status, await set.text()).toBe(200);
});
afterAll(() => merchant?.stop());
beforeEach(async () => {
  Object.assign(merchant, { fault: 'none', onMandate: 'confirm' });
  merchant.mandates.length = 0;
  buyer = await createPerson(parley.url, 'Bob');
  cli = new CommandLine({ PARLEY_API_URL: parley.url, PARLEY_TOKEN: await tokenThatPays(buyer) });
});
afterEach(() => cli.remove());

async function tokenThatPays({ cookie }: Person): Promise<string> {
  const body = { name: 'cli', scopes: ['agents:read', 'handshake', 'pay'] };
  const made = await send(`${parley.url}/api/auth/access-tokens`, { body, cookie, origin: parley.url });
  return ((await made.json()) as { token: string }).token;
}

/** Orders a pizza; returns the id of the order. */
async function askForCart(): Promise<string> {
  await cli.run(['send', slug, 'A pizza, please']);
  const { stdout } = await cli.run(['cart', 'list', '--json']);
  return (JSON.parse(stdout) as { items: { id: string }[] }).items[0]?.id ?? '';
}

async function walletText(): Promise<string> {
  return (await cli.run(['wallet'])).stdout;
}

describe('parley wallet', () => {
  it('shows the balance in test credits, and adds more', async () => {
    const shown = await cli.run(['wallet']);
    expect(shown).toMatchObject({ code: 0, stderr: 'These are test credits. No real money is used.\n' });
    expect(shown.stdout).toContain('100.00 EUR available\n');
    expect(await cli.run(['wallet', 'topup', '20.50EUR'])).toMatchObject({
      code: 0,
      stderr: 'Added 20.50 EUR to your wallet.\n',
    });
    const { stdout } = await cli.run(['wallet', 'show', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      test: true,
      balances: expect.arrayContaining([{ currency: 'EUR', available: 12_050, held: 0 }]),
    });
  });

  it.each(['20', '20.505EUR', '-5EUR', '5.5JPY', 'EUR'])('rejects the invalid amount %s', async (amount) => {
    const { code, stderr } = await cli.run(['wallet', 'topup', '--', amount]);
    expect(code).toBe(2);
    expect(stderr).toContain('is not an amount');
  });

  it('requires a token that is allowed to pay', async () => {
    const weak = new CommandLine({ PARLEY_API_URL: parley.url, PARLEY_TOKEN: buyer.accessToken });
    expect((await weak.run(['wallet'])).code).toBe(3);
    weak.remove();
  });
});

describe('parley cart', () => {
  it('lists payable carts, shows a cart’s lines, and pays it once', async () => {
    expect(await cli.run(['cart', 'list'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No carts are waiting for you. To see all carts, add --all\n',
    });
    const id = await askForCart();
    expect((await cli.run(['cart', 'list'])).stdout).toBe(`${id}  18.98 EUR  Pizza Sally  verified\n`);
    const shown = await cli.run(['cart', 'show', id]);
    for (const line of ['Pizza Sally, offered by Pizza Sally', 'Delivery  3.50 EUR', 'Total  18.98 EUR', 'verified']) {
      expect(shown.stdout).toContain(line);
    }
    const paid = await cli.run(['cart', 'approve', id, '--yes', '--max-amount', '18.98EUR']);
    expect(paid).toMatchObject({ code: 0 });
    expect(paid.stdout).toBe(`Paid 18.98 EUR to Pizza Sally. Receipt: ${parley.url}/orders/${id}\n`);
    expect(paid.stderr).toContain('Pay 18.98 EUR to Pizza Sally (wallet, test credits).');
    expect((await cli.run(['cart', 'approve', id, '--yes', '--max-amount', '18.98EUR'])).code).not.toBe(0);
    expect(merchant.mandates).toHaveLength(1);
    expect(await walletText()).toContain('81.02 EUR available\n');
    expect((await cli.run(['cart', 'list', '--all'])).stdout).toContain('captured');
  });

  it.each([
    [['--yes'], 2, '--yes pays without asking, so it requires a limit.'],
    [['--yes', '--max-amount', '18.97EUR'], 8, 'The cart total is 18.98 EUR; expected at most 18.97 EUR.'],
    [['--yes', '--max-amount', '99.00USD'], 8, 'The cart total is 18.98 EUR; expected at most 99.00 USD.'],
    [['--yes', '--max-amount', '20EUR', '--method', 'card'], 8, 'This cart cannot be paid by card.'],
    [[], 2, 'The payment needs your confirmation, but there is no terminal.'],
  ])('makes no payment with %j', async (flags, code, why) => {
    const id = await askForCart();
    const run = await cli.run(['cart', 'approve', id, ...flags]);
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(why);
    expect(merchant.mandates).toHaveLength(0);
    expect(await walletText()).toContain('100.00 EUR available\n');
  });

  it('prompts for confirmation of the amount in a terminal, and pays nothing if the answer is no', async () => {
    const id = await askForCart();
    const terminal = cli.open(['cart', 'approve', id]);
    await terminal.sees('Pay 18.98 EUR to Pizza Sally (wallet, test credits)?');
    terminal.press('n');
    expect(await terminal.end()).toBe(8);
    expect(merchant.mandates).toHaveLength(0);
  });

  it('reports that another user’s order was not found', async () => {
    const id = await askForCart();
    const otherUser = await createPerson(parley.url, 'Eve');
    const other = new CommandLine({ PARLEY_API_URL: parley.url, PARLEY_TOKEN: await tokenThatPays(otherUser) });
    for (const verb of ['show', 'approve']) expect((await other.run(['cart', verb, id])).code).toBe(4);
    other.remove();
  });

  it('reports a rejection by the merchant, and exits with the code for an unpaid order', async () => {
    merchant.onMandate = 'refuse';
    const id = await askForCart();
    const run = await cli.run(['cart', 'approve', id, '--yes', '--max-amount', '20EUR', '--json']);
    expect(run).toMatchObject({ code: 8, stdout: '' });
    expect(JSON.parse(run.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ error: { exitCode: 8 } });
  });
});

describe('parley send --pay', () => {
  it('pays the cart in the reply, and prints the order as JSON', async () => {
    const run = await cli.run(['send', slug, 'A pizza', '--pay', '--yes', '--max-amount', '20EUR', '--json']);
    expect(run.code).toBe(0);
    const last = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ order: { state: 'captured', offer: { total: { currency: 'EUR', minor: 1_898 } } } });
  });

  it('checks the given limit before it sends the message', async () => {
    // Waiting tasks of earlier tests are polled meanwhile.
    const sent = (): number => merchant.agent.calls('message/stream').length;
    const before = sent();
    expect((await cli.run(['send', slug, 'A pizza', '--pay', '--yes'])).code).toBe(2);
    expect(sent()).toBe(before);
  });

  it('reports why a cart cannot be paid', async () => {
    merchant.fault = 'no signature';
    const run = await cli.run(['send', slug, 'A pizza', '--pay', '--yes', '--max-amount', '20EUR']);
    expect(run.code).toBe(8);
    expect(run.stderr).toContain('The cart cannot be paid.');
  });
});
