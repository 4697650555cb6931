import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from './exit-codes.js';
import { Failure } from './failure.js';
import { listOrders, type Order, standingOf } from './orders.js';
import { type PayOptions, payOrder, tellPaid } from './pay-order.js';
import type { Session } from './session.js';
import { plainLine } from './terminal.js';

const TRIES = 6;
const PAUSE_MS = 500;

/**
 * Pays the cart that a task has just offered, after the person has agreed to its amount. Without a cart there is nothing
 * to pay, which is said.
 * @throws {Failure} when there is a cart and it is not paid
 */
export async function payTask(
  session: Session,
  taskId: string,
  options: PayOptions & { json?: boolean },
): Promise<void> {
  const order = await findCart(session, taskId);
  if (!order) {
    session.terminal.say('The agent has offered no cart, so there is nothing to pay.');
    return;
  }
  if (standingOf(order) !== 'open') {
    const why = plainLine(order.reason ?? order.code ?? order.state);
    throw new Failure(EXIT.notPaid, `The cart cannot be paid. ${why}`);
  }
  tellPaid(session, await payOrder(session, order.id, options), options.json);
}

/** The newest cart of a task; one that came a moment ago may still be at its checks. */
async function findCart(session: Session, taskId: string): Promise<Order | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await sleep(PAUSE_MS, undefined, { signal: session.signal });
    const { items } = await listOrders(session, { taskId });
    const [newest] = items;
    if (newest) return newest;
  }
  return null;
}
