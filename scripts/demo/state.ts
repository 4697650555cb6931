import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { CliError } from '../cli-output.mjs';

const agentSchema = z.object({
  port: z.int(),
  mark: z.string(),
  build: z.string(),
  launch: z.string(),
  /** The build whose card is listed. */
  listedBuild: z.string().nullable(),
});

const servedSchema = z.object({
  /** The process (see `processMark`); null before it has started. */
  mark: z.string().nullable(),
  /** The build whose cards are listed. */
  listedBuild: z.string(),
});

/** A private JWK. */
const merchantKeySchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  kid: z.string(),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});

const stateSchema = z.object({
  email: z.string(),
  password: z.string(),
  /** The `processMark` of the server that runs the demo; null after an orderly stop. */
  server: z.string().nullable(),
  app: z.object({ id: z.string(), clientId: z.string(), clientSecret: z.string() }).nullable(),
  agents: z.record(z.string(), agentSchema),
  /** The programs whose agents connect to Parley. */
  served: z.record(z.string(), servedSchema).default({}),
  /** The agents that have shown an example conversation. */
  examples: z.array(z.string()).default([]),
  /** The key with which the demo's shop signs its carts. */
  merchantKey: merchantKeySchema.nullable().default(null),
});

/** The demo's state, stored in `DATA_DIR/demo.json`. */
export type DemoState = z.infer<typeof stateSchema>;
export type MerchantKey = z.infer<typeof merchantKeySchema>;
export type DemoAgentState = z.infer<typeof agentSchema>;

/** @throws {CliError} if the file exists and is invalid */
export function readDemoState(file: string): DemoState | null {
  const text = readIfExists(file);
  if (text === null) return null;
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new CliError(
      `${file} cannot be read (${error instanceof Error ? error.message : error}); remove it and start again`,
    );
  }
}

/** Saves the state, readable only by its owner. Writes a temporary file and renames it, so that it is never incomplete. */
export function writeDemoState(file: string, state: DemoState): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
