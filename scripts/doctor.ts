import { embedders } from '@/lib/embeddings';
import { isMailServerReachable, isSmtpConfigured } from '@/lib/identity';
import { readConnectionBudget, requireSessions } from '@/lib/platform/db/connections';
import { databaseChecks } from '@/lib/platform/db/database-readiness';
import { inspectReplicas } from '@/lib/platform/db/replicas/read-from-replica';
import { findMissingDatabase, inspectTaskDatabases } from '@/lib/platform/db/task-databases/inspect-databases';
import { inspectEventStream } from '@/lib/platform/event-stream/inspect-event-stream';
import { EnvError, env } from '@/lib/platform/runtime/env';
import { countSealed, findRootSecretError } from '@/lib/platform/secrets/stored-secrets';
import { findKeyError, findSealedKeyError } from '@/lib/tokens';
import { fail, ok, textOf, warn } from './doctor/finding.mjs';
import { checkNotices, natsFailures } from './doctor/services.mjs';

type Finding = ReturnType<typeof ok>;

/** Checks that the variables of this process are valid, as at startup. */
export function checkVariables(): Finding {
  try {
    env();
    return ok('every variable is valid');
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    return fail(error.message.replaceAll('\n', '; '), 'correct them; .env.example describes each');
  }
}

/** Checks that the database passes one check of `/readyz`: `database` (writable), `clock` or `schema`. */
export async function checkReadiness(name: 'database' | 'clock' | 'schema'): Promise<Finding> {
  const check = databaseChecks().find((candidate) => candidate.name === name);
  const failure = (await check?.check()) ?? null;
  const passed = { database: 'writable', clock: 'within 30 s of the clock here', schema: 'works with this version' };
  const advice = {
    database: 'make the database writable: primary, not read-only, free disk space',
    clock: 'synchronize both clocks (NTP)',
    schema: 'run parley migrate of the version that serves',
  };
  return failure === null ? ok(passed[name]) : fail(failure, advice[name]);
}

/** Checks that each client receives its own server connection. */
export async function checkSessions(): Promise<Finding> {
  await requireSessions();
  return ok('connections keep their session');
}

/** Checks that the database permits the connections of all running nodes and of this command. */
export async function checkBudget(): Promise<Finding> {
  const { perNode, nodes, required, allowed } = await readConnectionBudget();
  const found = `${nodes} × ${perNode} = ${required} connections of ${allowed}, counting this command as a node`;
  if (required <= allowed) return ok(found);
  return warn(found, 'lower DATABASE_POOL_SIZE, or raise max_connections of the database');
}

/** Checks that each server of DATABASE_REPLICA_URL is a standby of the database. */
export async function checkReplicas(): Promise<Finding> {
  const found = await inspectReplicas();
  if (found.length === 0) return ok('DATABASE_REPLICA_URL is not set; the primary answers all reads');
  const others = found.filter(({ reason }) => reason !== null);
  if (others.length === 0) return ok(`${found.length} of DATABASE_REPLICA_URL can answer reads`);
  const reasons = others.map(({ address, reason }) => `${address}: ${reason}`).join('; ');
  return warn(reasons, 'check DATABASE_REPLICA_URL and these servers; the others and the primary answer all reads');
}

/** Checks that each database of TASK_DATABASE_URLS is reachable and was added. */
export async function checkTaskDatabases(): Promise<Finding> {
  const missing = await findMissingDatabase();
  if (missing) return fail(missing, 'add it to the variable on all nodes');
  const databases = await inspectTaskDatabases();
  if (databases.length === 0) return ok('TASK_DATABASE_URLS is not set; the main database has all tasks');
  const problems = databases.flatMap(({ name, problem }) => (problem === null ? [] : `${name}: ${problem}`));
  if (problems.length === 0) return ok(`${databases.length} databases of TASK_DATABASE_URLS are reachable`);
  return warn(
    problems.join('; '),
    'owners in a database that is unavailable cannot use Parley; see parley shards --help',
  );
}

/** Checks that the signing keys exist and that KEY_ENCRYPTION_KEY decrypts them. */
export async function checkKeys(): Promise<Finding> {
  const now = new Date();
  const sealed = await findSealedKeyError();
  if (sealed) return fail(sealed, 'set KEY_ENCRYPTION_KEY to the value of the first start');
  const missing = await findKeyError(now);
  if (missing?.startsWith('found no')) return ok('no signing key yet; the first node creates them');
  return missing ? fail(missing, 'set KEY_ENCRYPTION_KEY to the value of the first start') : findEncryptionError();
}

/** Checks that the key decrypts all other secrets, and that a change of the key is complete. */
async function findEncryptionError(): Promise<Finding> {
  const root = await findRootSecretError();
  if (root) return fail(root, 'set KEY_ENCRYPTION_KEY to the value of the first start');
  const counts = await countSealed();
  const sum = (of: (count: (typeof counts)[number]) => number): number =>
    counts.reduce((all, count) => all + of(count), 0);
  const unreadable = sum((count) => count.unreadable.length);
  if (unreadable > 0)
    return fail(
      `${unreadable} or more stored secrets cannot be decrypted`,
      'set the missing key as KEY_DECRYPTION_KEY',
    );
  const outdated = sum((count) => count.outdated);
  const rows = sum((count) => count.rows);
  if (outdated > 0) return warn(`${outdated} of ${rows} secrets need KEY_DECRYPTION_KEY`, 'run parley keys reencrypt');
  if (env().KEY_DECRYPTION_KEY) return warn('KEY_DECRYPTION_KEY is not needed', 'remove it and restart the nodes');
  return ok(`KEY_ENCRYPTION_KEY decrypts all ${rows} stored secrets`);
}

/** Checks that the mail server accepts the login. */
export async function checkMail(): Promise<Finding> {
  if (!isSmtpConfigured())
    return warn(
      'SMTP_URL is not set',
      'set it: until then emails are files in DATA_DIR/outbox, and sign-up needs them',
    );
  try {
    if (await isMailServerReachable()) return ok('the server of SMTP_URL accepts the login');
  } catch (error) {
    return fail(`the server of SMTP_URL does not respond (${textOf(error)})`, 'check host, port, user and password');
  }
  return fail('the server of SMTP_URL rejects the login', 'check user and password');
}

/** Checks that the servers of NOTICES_URL respond. */
export const checkNoticeServers = (): Promise<Finding> => checkNotices(env().NOTICES_URL);

/** Checks that every server of EVENTS_URL responds, and that JetStream can store the configured stream. */
export async function checkEvents(): Promise<Finding> {
  const urls = env().EVENTS_URL;
  if (urls.length === 0) return ok('EVENTS_URL is not set; PostgreSQL receives each event');
  const failures = await natsFailures(urls);
  if (failures.length > 0)
    return warn(
      `EVENTS_URL: ${failures.join('; ')}`,
      'start NATS there; while JetStream is away, PostgreSQL receives each event',
    );
  const { found, advice } = await inspectEventStream();
  return advice === null ? ok(`EVENTS_URL: ${found}`) : warn(`EVENTS_URL: ${found}`, advice);
}

/** Checks that the configured model computes a vector. */
export async function checkEmbeddings(): Promise<Finding> {
  const [model] = embedders();
  if (!model) return ok('off; searches compare words');
  try {
    const vector = await model.embedQuery('book a table for two');
    if (vector) return ok(`${model.name}, ${vector.length} dimensions`);
  } catch (error) {
    return warn(
      `${textOf(error)}`,
      'check EMBEDDINGS_URL, EMBEDDINGS_KEY and EMBEDDINGS_MODEL; searches compare words until then',
    );
  }
  return warn(`${model.name} returned no vector`, 'check EMBEDDINGS_MODEL');
}
