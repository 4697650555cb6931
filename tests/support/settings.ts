/** Settings that a run's set-up passes to its test files, which run in other processes. */
export interface RunSettings {
  /** A PostgreSQL server on which the run may create databases. */
  serverUrl: string;
  /** The migrated database that every test database is copied from. */
  template: string;
  /** Name prefix of this run's databases. */
  databasePrefix: string;
  /** Responds with the Parley of a vitest worker. */
  parleysUrl: string;
  /** The file of the described responses (`response-schemas.ts`). */
  responseSchemas: string;
  /** The Parley of the browser tests, with its demo. */
  parleyUrl: string;
  /** Its database. */
  databaseUrl: string;
  /** Its `DATA_DIR`, which holds emails it could not send. */
  dataDir: string;
  demoPassword: string;
}

const variable = 'PARLEY_TEST_RUN';

/** Publishes settings to processes started from now on. */
export function publishSettings(settings: Partial<RunSettings>): void {
  process.env[variable] = JSON.stringify({ ...published(), ...settings });
}

/**
 * One setting of the current run.
 * @throws when the run's set-up did not publish it
 */
export function setting<Name extends keyof RunSettings>(name: Name): RunSettings[Name] {
  const value = published()[name];
  if (value === undefined)
    throw new Error(`The test run has no ${name}; run the test through its vitest or playwright project`);
  return value;
}

/** True once the current run's set-up has published a setting. */
export function isPublished(name: keyof RunSettings): boolean {
  return published()[name] !== undefined;
}

function published(): Partial<RunSettings> {
  return JSON.parse(process.env[variable] ?? '{}');
}
