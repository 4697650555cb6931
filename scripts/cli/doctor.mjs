import { checkDatabase } from '../doctor/database.mjs';
import { checkDataFolder, checkNode, checkOpenFiles, checkSecrets, finding } from '../doctor/machine.mjs';
import { checkAddress, checkPort, checkProxies, checkStripe } from '../doctor/services.mjs';
import { bundleOf } from '../program.mjs';

/** @type {import('./command.mjs').Command} */
export const doctor = {
  summary: 'checks the installation and says what to do',
  usage: '[--json]',
  help: `
Checks variables, secrets, DATA_DIR, the port, the database and its schema, the connection budget, clock, keys, APP_URL and its
certificate, mail, Stripe, notices, events and embeddings. Each line is ok, warn or fail, with what to do. Secrets are never
printed. It changes nothing, except for one row of readiness_write. Exit code 1 if a check fails.

Options:
  --json  print an array of { check, status, found, advice }`,
  options: { json: { type: 'boolean' } },
  most: 0,
  async run({ values }) {
    // The lines of the checks are the output.
    process.env.LOG_LEVEL = 'silent';
    const findings = [];
    for await (const found of runChecks()) {
      findings.push(found);
      if (!values.json) console.log(lineOf(found));
    }
    if (values.json) console.log(JSON.stringify(findings, null, 2));
    const failed = findings.filter(({ status }) => status === 'fail').length;
    if (!values.json)
      console.log(failed === 0 ? '\nready to serve' : `\n${failed} of ${findings.length} checks failed`);
    return failed === 0 ? 0 : 1;
  },
};

function lineOf({ check, status, found, advice }) {
  const line = `${status.padEnd(4)}  ${check.padEnd(12)}  ${found}`;
  return advice ? `${line}\n${' '.repeat(20)}→ ${advice}` : line;
}

async function* runChecks() {
  const program = await import(bundleOf('doctor'));
  yield* checks({
    node: checkNode,
    secrets: checkSecrets,
    data: checkDataFolder,
    files: checkOpenFiles,
    port: checkPort,
  });
  const variables = await finding(program.checkVariables);
  yield { check: 'variables', ...variables };
  const database = await checkDatabase(process.env.DATABASE_URL);
  for (const [check, found] of Object.entries(database)) yield { check, ...found };
  if (process.env.APP_URL && URL.canParse(process.env.APP_URL))
    yield* checks({ address: checkAddress, proxies: checkProxies });
  yield* checks({ stripe: checkStripe });
  // The other checks read validated variables, as nodes do.
  if (variables.status === 'fail') return;
  yield* checks({ notices: program.checkNoticeServers, mail: program.checkMail, embeddings: program.checkEmbeddings });
  if (database.database.status === 'fail') return;
  const schema = await finding(() => program.checkReadiness('schema'));
  yield { check: 'schema', ...schema };
  yield* checks({
    sessions: program.checkSessions,
    budget: program.checkBudget,
    replicas: program.checkReplicas,
    clock: () => program.checkReadiness('clock'),
  });
  if (schema.status === 'fail') return;
  yield* checks({
    writable: () => program.checkReadiness('database'),
    keys: program.checkKeys,
    'task databases': program.checkTaskDatabases,
    events: program.checkEvents,
  });
}

async function* checks(all) {
  for (const [check, run] of Object.entries(all)) yield { check, ...(await finding(run)) };
}
