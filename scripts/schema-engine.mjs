#!/usr/bin/env node
// Replaces Prisma's native `schema-engine`, which would have to be downloaded. Takes the same arguments and serves the
// same JSON-RPC over stdio, with the WebAssembly build of the same engine (npm) and Prisma's PostgreSQL adapter.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
// Resolves packages of the adapter and of pg to the copies that they use themselves.
const adapterRequire = createRequire(require.resolve('@prisma/adapter-pg'));
const pgRequire = createRequire(require.resolve('pg'));

/** PostgreSQL's one-byte type `"char"`, common in the system catalogs, and `bpchar`, which the adapter can read. */
const INTERNAL_CHAR = 18;
const PADDED_CHAR = 1042;

/** The JSON-RPC code of every error of the native engine. */
const ENGINE_ERROR = 4466;

/** First id of our own requests (`print`), far above the ids of the CLI. */
const OWN_REQUEST_IDS = 1_000_000_000;

const CONNECTION_ERRORS = {
  '3D000': 'P1003',
  '28P01': 'P1000',
  ECONNREFUSED: 'P1001',
  ENOTFOUND: 'P1001',
  ETIMEDOUT: 'P1001',
};

function parseArguments(argv) {
  const found = { url: undefined, datamodels: [], command: undefined, version: argv.includes('--version') };
  for (const [index, argument] of argv.entries()) {
    const value = argv[index + 1];
    if (argument === '--datasource') found.url = JSON.parse(value).url;
    if (argument === '--datamodels') found.datamodels.push(value);
    if (argument === 'cli') found.command = value;
  }
  return found;
}

/** Log lines are JSON on stderr; the CLI reports the last ERROR as the reason of a failure. */
function log(level, message, fields = {}) {
  const line = { timestamp: new Date().toISOString(), level, target: 'schema_engine', fields: { message, ...fields } };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/**
 * Returns the parts of a connection string. The adapter must not receive the string itself: pg gives it precedence over
 * `database`, so the real database would be used as the shadow database.
 */
function connectionParts(url) {
  const { schema: _ours, ...parts } = pgRequire('pg-connection-string').parse(url);
  return { ...parts, port: parts.port ? Number(parts.port) : undefined, max: 2 };
}

async function withClient(config, work) {
  const client = new (require('pg').Client)(config);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

async function createDatabase(url) {
  const { database, ...server } = connectionParts(url);
  const name = require('pg').escapeIdentifier(database);
  await withClient({ ...server, database: 'postgres' }, (client) => client.query(`CREATE DATABASE ${name}`));
  return { databaseName: database };
}

async function runCommand({ command, url }) {
  try {
    if (command === 'can-connect-to-database')
      await withClient(connectionParts(url), (client) => client.query('SELECT 1'));
    else if (command === 'create-database') await createDatabase(url);
    else throw new Error(`The command "${command}" is not supported by scripts/schema-engine.mjs`);
    log('INFO', 'done');
    return 0;
  } catch (error) {
    const code = CONNECTION_ERRORS[error.code];
    // The CLI reads after the first line break.
    process.stderr.write('\n');
    log('ERROR', error.message || String(error.code), { is_panic: false, ...(code ? { error_code: code } : {}) });
    return 1;
  }
}

/** Marks `"char"` columns of a result and has the adapter read them as padded text. */
function readInternalChars() {
  const Result = require('pg/lib/result');
  const { addFields } = Result.prototype;
  Result.prototype.addFields = function addMarkedFields(fields) {
    for (const field of fields.filter((candidate) => candidate.dataTypeID === INTERNAL_CHAR)) {
      field.dataTypeID = PADDED_CHAR;
      field.isInternalChar = true;
    }
    return addFields.call(this, fields);
  };
}

/** Reports the marked columns as characters: with text, the engine panics on PostgreSQL 18. */
function reportInternalChars(connection) {
  const { ColumnTypeEnum } = adapterRequire('@prisma/driver-adapter-utils');
  const performIO = connection.performIO.bind(connection);
  const { queryRaw } = Object.getPrototypeOf(connection);
  connection.queryRaw = async (query) => {
    let fields = [];
    const observed = Object.create(connection, {
      performIO: {
        value: async (request) => {
          const response = await performIO(request);
          fields = response.fields;
          return response;
        },
      },
    });
    const result = await queryRaw.call(observed, query);
    for (const [index, field] of fields.entries()) {
      if (field.isInternalChar) result.columnTypes[index] = ColumnTypeEnum.Character;
    }
    return result;
  };
  if (connection.startTransaction) {
    const startTransaction = connection.startTransaction.bind(connection);
    connection.startTransaction = async (...args) => reportInternalChars(await startTransaction(...args));
  }
  return connection;
}

/** Returns an adapter factory that creates shadow databases, and a function that drops the remaining ones. */
function adapterFactory(url) {
  const { PrismaPg } = require('@prisma/adapter-pg');
  const main = new PrismaPg(connectionParts(url));
  const shadows = new Set();
  async function connectToShadowDb() {
    const owner = await main.connect();
    const database = `prisma_migrate_shadow_db_${randomUUID()}`;
    await owner.executeScript(`CREATE DATABASE "${database}"`);
    const shadow = reportInternalChars(await new PrismaPg({ ...connectionParts(url), database }).connect());
    const disconnect = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      if (!shadows.delete(shadow)) return;
      await disconnect();
      await owner.executeScript(`DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`);
      await owner.dispose();
    };
    shadows.add(shadow);
    return shadow;
  }
  const factory = {
    provider: main.provider,
    adapterName: main.adapterName,
    connect: async () => reportInternalChars(await main.connect()),
    connectToShadowDb,
  };
  const { bindMigrationAwareSqlAdapterFactory } = adapterRequire('@prisma/driver-adapter-utils');
  return {
    factory: bindMigrationAwareSqlAdapterFactory(factory),
    dropShadows: async () => {
      for (const shadow of [...shadows]) await shadow.dispose();
    },
  };
}

async function loadEngine({ datamodels, factory }) {
  // Without this registry the message of a panic is lost.
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => log('ERROR', message, { is_panic: true }) };
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const file = path.join(
    path.dirname(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg')),
    'schema_engine_bg.wasm',
  );
  const { instance } = await WebAssembly.instantiate(readFileSync(file), { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  const schemas = datamodels.map((datamodel) => [datamodel, readFileSync(datamodel, 'utf8')]);
  return glue.SchemaEngine.new({ datamodels: schemas.length > 0 ? schemas : undefined }, () => {}, factory);
}

function toRpcError(error) {
  const code = error.code ?? error.error_code;
  return {
    code: ENGINE_ERROR,
    message: 'An error happened. Check the data field for details.',
    data: { is_panic: false, message: error.message, meta: error.meta ?? null, ...(code ? { error_code: code } : {}) },
  };
}

/** Serves the CLI's requests one at a time until it closes stdin. */
async function serve({ url, datamodels }) {
  readInternalChars();
  // `migrate diff` between two files specifies no database, but the engine needs an adapter.
  const { factory, dropShadows } = adapterFactory(url ?? 'postgresql://localhost:1/none');
  let engine;
  async function respond({ method, params = {} }) {
    if (method === 'createDatabase') return createDatabase(params.datasource?.url ?? url);
    engine ??= await loadEngine({ datamodels, factory });
    return (await engine[method === 'getDatabaseVersion' ? 'version' : method](params)) ?? {};
  }
  for await (const line of createInterface({ input: process.stdin })) {
    const request = line.trim() ? JSON.parse(line) : {};
    // A message without a method is the CLI's response to our `print`.
    if (!request.method) continue;
    let reply;
    try {
      reply = { result: await respond(request) };
    } catch (error) {
      reply = { error: toRpcError(error) };
    }
    // The CLI kills this process as soon as it has the response.
    await dropShadows();
    if (request.method === 'diff' && typeof reply.result?.stdout === 'string') {
      send({ id: OWN_REQUEST_IDS + request.id, method: 'print', params: { content: reply.result.stdout } });
      reply.result.stdout = null;
    }
    send({ id: request.id, ...reply });
  }
}

const parsed = parseArguments(process.argv.slice(2));
if (parsed.version) process.stdout.write('schema-engine-cli (WebAssembly)\n');
else if (parsed.command) process.exitCode = await runCommand(parsed);
else {
  await serve(parsed);
  process.exit(0);
}
