import type { Command } from 'commander';
import { addPayOptions, type CommandContext } from '../command-line.js';
import { EXIT } from '../exit-codes.js';
import { formatMoney } from '../money.js';
import { cartLines, getOrder, listOrders, type Order, orderPath, orderUrl, payerStateOf } from '../orders.js';
import { type PayOptions, payOrder, printPayment } from '../pay-order.js';
import type { Session } from '../session.js';
import { plainLine } from '../terminal.js';

interface Json {
  json?: boolean;
}

/** Prints the carts that agents have sent, newest first; only payable ones unless `all` is set. */
async function listCarts(session: Session, { all, json }: Json & { all?: boolean }): Promise<void> {
  const { terminal } = session;
  const page = await listOrders(session, all ? {} : { state: 'open' });
  if (json) {
    terminal.print(JSON.stringify(page));
    return;
  }
  for (const order of page.items) {
    const { id, agent, offer } = order;
    const total = offer ? formatMoney(offer.total) : 'no amount';
    const merchant = plainLine(offer?.merchantName ?? agent.name);
    terminal.print(`${terminal.paint('bold', id)}  ${total}  ${merchant}  ${stateLine(order)}`);
  }
  if (page.items.length === 0)
    terminal.say(all ? 'No carts yet.' : 'No carts are waiting for you. To see all carts, add --all');
}

/** Prints one cart with its lines and state. */
async function showCart(session: Session, id: string, { json }: Json): Promise<void> {
  const { terminal } = session;
  const order = await getOrder(session, id);
  if (json) {
    terminal.print(JSON.stringify({ order }));
    return;
  }
  for (const line of cartLines(order)) terminal.print(line);
  terminal.print(`  ${stateLine(order)}`);
  if (payerStateOf(order) === 'open') terminal.say(`Pay it with: parley cart approve ${id}`);
  else terminal.say(orderUrl(session, order));
}

/** Formats an order's state, with the reason if there is one. */
function stateLine({ state, reason }: Order): string {
  return `${state}${reason ? `: ${plainLine(reason)}` : ''}`;
}

/** Declines a cart; nothing is charged, and the agent is notified. */
async function declineCart(session: Session, id: string, { json }: Json): Promise<void> {
  const { terminal } = session;
  const order = await session.call<Order>(orderPath(id, 'decline'), { body: {} });
  if (json) terminal.print(JSON.stringify({ order }));
  else
    terminal.print(
      `Declined the cart from ${plainLine(order.offer?.merchantName ?? order.agent.name)}. You were not charged.`,
    );
}

/** Pays a cart, after confirmation of its amount. */
async function approveCart(session: Session, id: string, options: Json & PayOptions): Promise<number> {
  const order = await payOrder(session, id, options);
  printPayment(session, order, options.json);
  return EXIT.ok;
}

/** Adds `parley cart`. */
export function addCart(program: Command, { act, all }: CommandContext): void {
  const cart = program.command('cart').description('view, pay and decline carts that agents have offered you');
  cart
    .command('list')
    .description('list carts that can be paid')
    .option('-a, --all', 'include carts that are paid, declined or expired')
    .action((options: { all?: boolean }) => act((session) => listCarts(session, all(options))));
  cart
    .command('show')
    .description('show a cart with its line items')
    .argument('<order>', 'ID of the cart, as shown by list')
    .action((order: string) => act((session) => showCart(session, order, all({}))));
  const approve = cart
    .command('approve')
    .description('pay a cart after you confirm')
    .argument('<order>', 'ID of the cart, as shown by list');
  addPayOptions(approve).action((order: string, options: PayOptions) =>
    act((session) => approveCart(session, order, all(options))),
  );
  cart
    .command('decline')
    .description('decline a cart; nothing is charged')
    .argument('<order>', 'ID of the cart, as shown by list')
    .action((order: string) => act((session) => declineCart(session, order, all({}))));
}
