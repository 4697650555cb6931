import { checkEnvironment } from '../environment.mjs';
import { bundleOf } from '../program.mjs';
import { databaseUrl, UsageError } from './command.mjs';

/** The number of arguments of each action. */
const ACTIONS = { refund: 4, payout: 5, taken: 3, 'not-taken': 2 };

/** @type {import('./command.mjs').Command} */
export const x402 = {
  summary: 'lists and records what is owed of payments by x402',
  usage: `
refund PAYMENT AMOUNT TRANSACTION
payout SELLER ASSET AMOUNT TRANSACTION
taken PAYMENT TRANSACTION
not-taken PAYMENT`,
  help: `
Without arguments, prints what you owe of the money at X402_PAY_TO: to payers whose work produced nothing, and to sellers.
Parley transfers none of it. refund and payout record a transfer that you made, with AMOUNT in minor units such as cents
and the id of its TRANSACTION, so that each is recorded once. A payment is unclear if the facilitator lost its answer and
then refused to repeat it: look for it at the facilitator or on the chain, and record taken or not-taken.

All of it works while nodes are running, and is in the audit log.`,
  options: {},
  most: 5,
  async run({ args }) {
    const [action] = args;
    if (action !== undefined && (!Object.hasOwn(ACTIONS, action) || args.length !== ACTIONS[action]))
      throw new UsageError('expected no argument, or one of the actions with its arguments');
    await databaseUrl();
    await checkEnvironment();
    const { runX402 } = await import(bundleOf('x402'));
    await runX402(args);
  },
};
