import { checkEnvironment } from '../environment.mjs';
import { bundleOf } from '../program.mjs';
import { databaseUrl, UsageError } from './command.mjs';

/** @type {import('./command.mjs').Command} */
export const tax = {
  summary: 'lists and sets the rates of tax on invoices',
  usage: '\nset COUNTRY KIND BASIS_POINTS [--from DAY]',
  help: `
Without arguments, prints all rates. set changes the rate for sales that are captured from a day on: COUNTRY is an ISO 3166
code, KIND is order (carts), charge (work by a price plan) or all, BASIS_POINTS are hundredths of a percent of the amount
without tax. Prices include tax. Papers that were issued keep their tax. Who owes the tax is set by TAX_LIABLE. All of it
works while nodes are running.

  --from DAY  the first day of the rate (UTC), such as 2027-01-31; without it, now`,
  options: { from: { type: 'string' } },
  most: 4,
  async run({ args, values }) {
    const [action] = args;
    if (action !== undefined && (action !== 'set' || args.length !== 4))
      throw new UsageError('expected no argument, or set COUNTRY KIND BASIS_POINTS');
    await databaseUrl();
    await checkEnvironment();
    const { runTax } = await import(bundleOf('tax'));
    await runTax({ args, from: values.from });
  },
};
