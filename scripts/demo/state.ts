import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { Refusal } from '../report.mjs';

const agentSchema = z.object({
  port: z.int(),
  mark: z.string(),
  build: z.string(),
  launch: z.string(),
  /** The build whose card the catalogue has. */
  listedBuild: z.string().nullable(),
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
  /** The server that runs the demo, as `processMark` names it; null after an orderly end. */
  server: z.string().nullable(),
  app: z.object({ id: z.string(), clientId: z.string(), clientSecret: z.string() }).nullable(),
  agents: z.record(z.string(), agentSchema),
  /** By which the demo's shop signs its carts. */
  merchantKey: merchantKeySchema.nullable().default(null),
});

/** What the demo keeps between two starts, in `DATA_DIR/demo.json`. */
export type DemoState = z.infer<typeof stateSchema>;
export type MerchantKey = z.infer<typeof merchantKeySchema>;
export type DemoAgentState = z.infer<typeof agentSchema>;

/** @throws {Refusal} when the file is there and is not what we wrote */
export function readDemoState(file: string): DemoState | null {
  const text = readIfThere(file);
  if (text === null) return null;
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new Refusal(
      `${file} cannot be read (${error instanceof Error ? error.message : error}); remove it and start again`,
    );
  }
}

/** Keeps the state where only its owner can read it. Written aside and renamed, so that it is never half there. */
export function writeDemoState(file: string, state: DemoState): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
