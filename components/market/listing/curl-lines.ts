export interface CallLines {
  /** Exchanges a personal access token for a token of this agent, stored in AGENT_TOKEN. */
  handshake: string;
  /** Sends one message and waits for the task. */
  send: string;
  /** Sends one message and streams its events. */
  stream: string;
}

export interface CallTarget {
  /** `S/agents/{slug}`, which is the agent's URL on Parley. */
  url: string;
  slug: string;
  /** The message, for instance an example of its first skill. */
  text: string;
  /** New UUIDs: the messages' ids and, per caller and agent, their idempotency keys. */
  messageIds: [string, string];
}

/** Returns commands for a POSIX shell with curl and sed that call an agent through Parley in A2A 1.0. */
export function callLines({ url, slug, text, messageIds }: CallTarget): CallLines {
  const { origin } = new URL(url);
  const [first, second] = messageIds.map((messageId) => ({ messageId, role: 'ROLE_USER', parts: [{ text }] }));
  return {
    handshake: [
      `AGENT_TOKEN=$(curl -sS ${origin}/api/auth/handshake \\`,
      '  -H "Authorization: Bearer $PARLEY_TOKEN" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d ${quote(json({ agentSlug: slug }))} \\`,
      `  | sed -E 's/.*"token":"([^"]+)".*/\\1/')`,
    ].join('\n'),
    send: rpcLine('curl -sS', url, { method: 'SendMessage', params: { message: first } }),
    stream: rpcLine('curl -sSN', url, { method: 'SendStreamingMessage', params: { message: second } }),
  };
}

/** Returns a command with which an agent introspects the token of a call, at the deployment at `origin`. */
export function introspectLine(origin: string): string {
  return [
    `curl -sS ${origin}/api/auth/introspect \\`,
    '  -u "$CLIENT_ID:$CLIENT_SECRET" \\',
    '  -d token="$TOKEN_OF_THE_CALL"',
  ].join('\n');
}

/** The file of a complete agent, which the home page shows. */
export const firstAgentFile = {
  name: 'agent.mjs',
  code: `export async function* handle(turn) {
  yield \`You said: \${turn.text}\`;
}`,
} as const;

/** Returns the command that lists that agent on the Parley at `origin` and connects it, with `slug` as its id. */
export function firstAgentCommand(origin: string, slug = 'my-agent'): string {
  return `npx ${origin}/packages/parley.tgz --api-url ${origin} serve ${firstAgentFile.name} --agent ${slug} --create`;
}

function rpcLine(curl: string, url: string, call: object): string {
  return [
    `${curl} ${url}/a2a/jsonrpc \\`,
    '  -H "Authorization: Bearer $AGENT_TOKEN" \\',
    "  -H 'A2A-Version: 1.0' \\",
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quote(json({ jsonrpc: '2.0', id: 1, ...call }, 2))}`,
  ].join('\n');
}

/** Serializes JSON with invisible and reordering characters escaped. */
function json(value: object, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Returns any text as one POSIX shell word. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
