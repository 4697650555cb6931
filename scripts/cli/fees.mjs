import { checkEnvironment } from '../environment.mjs';
import { bundleOf } from '../program.mjs';
import { databaseUrl, UsageError } from './command.mjs';

/** @type {import('./command.mjs').Command} */
export const fees = {
  summary: 'lists and sets the fees that sellers pay',
  usage: '\nset CURRENCY BASIS_POINTS [FIXED] [--from DAY]',
  help: `
Without arguments, prints the fee of each currency and its next change. set changes the fee of sales that are authorized
from a day on: BASIS_POINTS are hundredths of a percent of the amount, FIXED is added to each sale, in minor units such as
cents. Earlier sales keep their fee. A higher fee begins at least 30 days later, unless nothing was sold in the currency
yet; a lower one may begin at once. Sellers see the change in advance. All of it works while nodes are running.

  --from DAY  the first day of the fee (UTC), such as 2027-01-31; without it, now`,
  options: { from: { type: 'string' } },
  most: 4,
  async run({ args, values }) {
    const [action] = args;
    if (action !== undefined && (action !== 'set' || args.length < 3))
      throw new UsageError('expected no argument, or set CURRENCY BASIS_POINTS [FIXED]');
    await databaseUrl();
    await checkEnvironment();
    const { runFees } = await import(bundleOf('fees'));
    await runFees({ args, from: values.from });
  },
};
