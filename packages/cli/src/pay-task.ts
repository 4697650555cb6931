import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from './exit-codes.js';
import { Failure } from './failure.js';
import { listOrders, type Order, payerStateOf } from './orders.js';
import { type PayOptions, payOrder, printPayment } from './pay-order.js';
import type { Session } from './session.js';
import { plainLine } from './terminal.js';

const TRIES = 6;
const PAUSE_MS = 500;

/**
 * Pays the cart that a task has just offered, after confirmation of its amount. Prints a message if there is no cart.
 * @throws {Failure} if there is a cart and it is not paid
 */
export async function payTask(
  session: Session,
  taskId: string,
  options: PayOptions & { json?: boolean },
): Promise<void> {
  const order = await findCart(session, taskId);
  if (!order) {
    session.terminal.say('The agent has not offered a cart, so there is nothing to pay.');
    return;
  }
  if (payerStateOf(order) !== 'open') {
    const why = plainLine(order.reason ?? order.code ?? order.state);
    throw new Failure(EXIT.notPaid, `The cart cannot be paid. ${why}`);
  }
  printPayment(session, await payOrder(session, order.id, options), options.json);
}

/** Returns the task's latest cart; a very recent one may still be under verification. */
async function findCart(session: Session, taskId: string): Promise<Order | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await sleep(PAUSE_MS, undefined, { signal: session.signal });
    const { items } = await listOrders(session, { taskId });
    const [newest] = items;
    if (newest) return newest;
  }
  return null;
}
