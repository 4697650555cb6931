import type { CallTarget } from '../../listing/curl-lines';

type Target = Omit<CallTarget, 'messageIds'>;

/** Returns a program without dependencies for Node 18 or newer that sends one message and streams the answer. */
export function javascriptProgram(target: Target): string {
  const { url, text } = target;
  return `// parley.mjs: run with PARLEY_TOKEN set, by node parley.mjs
${handshakeInJavascript(target)}

const answer = await fetch(${quoted(`${url}/a2a/jsonrpc`)}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${token}\`, 'a2a-version': '1.0', 'content-type': 'application/json' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: {
      message: {
        messageId: crypto.randomUUID(),
        role: 'ROLE_USER',
        parts: [{ text: ${quoted(text)} }],
      },
    },
  }),
});
const { result, error } = await answer.json();
if (error) throw new Error(error.message);
console.log(JSON.stringify(result, null, 2));`;
}

/** Returns a program with the official SDK (`@a2a-js/sdk` 1.x), which finds the card below the agent's base URL. */
export function sdkProgram(target: Target): string {
  const { url, text } = target;
  return `// parley-sdk.mjs: npm install @a2a-js/sdk@1, then run with PARLEY_TOKEN set, by node parley-sdk.mjs
import { SendMessageRequest } from '@a2a-js/sdk';
import {
  ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver, JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';

${handshakeInJavascript(target)}

const fetchImpl = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('authorization', \`Bearer \${token}\`);
  return fetch(input, { ...init, headers });
};
const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
  transports: [new JsonRpcTransportFactory({ fetchImpl })],
  cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
});
const client = await new ClientFactory(options).createFromUrl(${quoted(`${url}/`)});
const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: ${quoted(text)} }] };
const answer = await client.sendMessage(SendMessageRequest.fromJSON({ message }));
console.log(JSON.stringify(answer, null, 2));`;
}

/** Returns statements that set `token` to one that the agent accepts. */
function handshakeInJavascript({ url, slug }: Target): string {
  const { origin } = new URL(url);
  return `// The handshake exchanges the access token for a token that this agent accepts.
const handshake = await fetch(${quoted(`${origin}/api/auth/handshake`)}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.PARLEY_TOKEN}\`, 'content-type': 'application/json' },
  body: JSON.stringify({ agentSlug: ${quoted(slug)} }),
});
const { token, title } = await handshake.json();
if (!token) throw new Error(title);`;
}

/** Returns the same for Python 3.8 or newer, without dependencies. */
export function pythonProgram({ url, slug, text }: Target): string {
  const { origin } = new URL(url);
  return `# parley.py: run with PARLEY_TOKEN set, by python3 parley.py
import json, os, urllib.request, uuid

def post(url, token, body, **headers):
    headers.update({"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)

handshake = post(
    ${quoted(`${origin}/api/auth/handshake`)},
    os.environ["PARLEY_TOKEN"],
    {"agentSlug": ${quoted(slug)}},
)
message = {
    "messageId": str(uuid.uuid4()),
    "role": "ROLE_USER",
    "parts": [{"text": ${quoted(text)}}],
}
answer = post(
    ${quoted(`${url}/a2a/jsonrpc`)},
    handshake["token"],
    {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}},
    **{"A2A-Version": "1.0"},
)
print(json.dumps(answer.get("result") or answer["error"], indent=2))`;
}

/**
 * Returns the same for Parley's CLI, which streams the answer. Parley itself serves the CLI, because `npx parley` is
 * another package.
 */
export function commandLine({ url, slug, text }: Target): string {
  const { origin } = new URL(url);
  return `npx ${origin}/packages/parley.tgz --api-url ${origin} send ${slug} ${shellWord(text)}`;
}

/**
 * Returns a string literal that is valid in JavaScript and Python, with invisible and reordering characters escaped.
 */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function shellWord(text: string): string {
  return `'${text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').replaceAll("'", "'\\''")}'`;
}
