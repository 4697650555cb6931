/** An agent's configuration. */
export interface AgentEnvironment {
  host: string;
  port: number;
  /** The agent's own origin, as reached by callers. */
  publicUrl: string;
  /** The origin of the Parley that issues our callers' tokens. */
  parleyUrl: string;
  /** Credentials of the developer app under which the agent is registered at Parley. */
  clientId: string;
  clientSecret: string;
  /** The agent's slug at Parley; only tokens issued for it are accepted. */
  agent: string;
  /** Identifies the running build, so that the process that started the agent can recognize it. */
  buildId: string;
  /** Private JWK with which a selling agent signs its carts; null if it generates its own. */
  merchantKey: string | null;
  /** True if callers may make the agent misbehave, to test how Parley handles it. */
  playsTricks: boolean;
}

/** Error for a missing or invalid variable. The message is one line for the operator. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

const required = ['PORT', 'PUBLIC_URL', 'PARLEY_URL', 'PARLEY_CLIENT_ID', 'PARLEY_CLIENT_SECRET'] as const;

/**
 * Reads and validates the variables above. `HOST` is 127.0.0.1, `BUILD_ID` is `dev` and `PARLEY_AGENT` is `slug` by
 * default; `MERCHANT_KEY` and `MERCHANT_TRICKS` are optional.
 * @throws {EnvironmentError} that lists every missing variable, or the first invalid one
 */
export function readEnvironment(
  slug: string,
  source: Record<string, string | undefined> = process.env,
): AgentEnvironment {
  const missing = required.filter((name) => !source[name]);
  if (missing.length > 0) {
    throw new EnvironmentError(
      `missing ${missing.join(', ')}; set ${missing.length === 1 ? 'it' : 'them'} and start again`,
    );
  }
  const value = (name: string): string => source[name] ?? '';
  return {
    host: value('HOST') || '127.0.0.1',
    port: readPort(value('PORT')),
    publicUrl: readOrigin('PUBLIC_URL', value('PUBLIC_URL')),
    parleyUrl: readOrigin('PARLEY_URL', value('PARLEY_URL')),
    clientId: value('PARLEY_CLIENT_ID'),
    clientSecret: value('PARLEY_CLIENT_SECRET'),
    agent: value('PARLEY_AGENT') || slug,
    buildId: value('BUILD_ID') || 'dev',
    merchantKey: value('MERCHANT_KEY') || null,
    playsTricks: value('MERCHANT_TRICKS') === '1',
  };
}

function readPort(found: string): number {
  const port = Number(found);
  if (Number.isInteger(port) && port >= 1 && port <= 65535) return port;
  throw new EnvironmentError(`PORT is "${found}"; expected a whole number from 1 to 65535`);
}

function readOrigin(name: string, found: string): string {
  const url = URL.canParse(found) ? new URL(found) : null;
  if (url && /^https?:$/.test(url.protocol) && url.origin === found.replace(/\/$/, '')) return url.origin;
  throw new EnvironmentError(`${name} is "${found}"; expected an origin such as http://localhost:3000, without a path`);
}
