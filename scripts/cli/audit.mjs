import { verifyAudit } from '../verify-audit.mjs';
import { databaseUrl } from './command.mjs';

/** @type {import('./command.mjs').Command} */
export const audit = {
  summary: 'verifies the hash chain of the audit log',
  usage: '[MARK]',
  help: `
Reads the audit log from its first entry and prints the number of entries and the mark of the last one. With a MARK that
an earlier run printed, also checks that the log still contains it: a chain proves its entries, but not that none was
cut off at the end.`,
  options: {},
  most: 1,
  async run({ args: [mark] }) {
    const { seq, mark: last } = await verifyAudit(await databaseUrl(), mark);
    console.log(`${seq} entries verified; mark ${last}`);
  },
};
