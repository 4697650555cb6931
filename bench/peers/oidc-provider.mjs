// A certified authorization server with opaque tokens in memory, as the reference for introspection.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const client = { client_id: 'bench', client_secret: 'a-secret-of-the-benchmark-only-000000' };
const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [{ ...client, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
  features: {
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    devInteractions: { enabled: false },
  },
  ttl: { ClientCredentials: 3_600 },
});
server.on('request', provider.callback());

async function issue() {
  const pair = `${client.client_id}:${client.client_secret}`;
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  return (await response.json()).access_token;
}

const tokens = [];
for (let count = 0; count < 200; count++) tokens.push(await issue());
const { port } = server.address();
console.log(JSON.stringify({ port, clientId: client.client_id, clientSecret: client.client_secret, tokens }));
process.on('SIGTERM', () => process.exit(0));
