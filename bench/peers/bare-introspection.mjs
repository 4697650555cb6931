// The lower bound in JavaScript: node:http, one client, jose's jwtVerify with RS256. No revocation, users or rate
// limits.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';

const issuer = 'http://localhost:3000';
const audience = `${issuer}/agents/bench`;
const { publicKey, privateKey } = await generateKeyPair('RS256');
const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'tok-1', alg: 'RS256', use: 'sig' }] });
const client = { id: 'bench', secretHash: createHash('sha256').update('secret').digest() };

function sign() {
  const claims = { client_id: 'parley-cli', agent_id: 'agt_1', agent_slug: 'bench', scope: 'agent:call' };
  return new SignJWT({ ...claims, jti: randomUUID() })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'tok-1' })
    .setIssuer(issuer)
    .setSubject('nTIWNb1JmC4VcZ3CIFFVdG8qjOBQ8yyDLi0pEzHqLpo')
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('15m')
    .sign(privateKey);
}

function isClient(authorization) {
  const [id, secret] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':');
  return id === client.id && timingSafeEqual(createHash('sha256').update(secret).digest(), client.secretHash);
}

async function introspect(token) {
  try {
    const options = { issuer, audience, algorithms: ['RS256'], typ: 'at+jwt' };
    const { payload } = await jwtVerify(token, keys, options);
    return { active: true, token_type: 'Bearer', ...payload };
  } catch {
    return { active: false };
  }
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    if (!isClient(request.headers.authorization)) return response.writeHead(401).end();
    const token = new URLSearchParams(Buffer.concat(chunks).toString()).get('token');
    const body = JSON.stringify(await introspect(token));
    response.writeHead(200, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', async () => {
  const tokens = [];
  for (let count = 0; count < 200; count++) tokens.push(await sign());
  console.log(JSON.stringify({ port: server.address().port, clientId: 'bench', clientSecret: 'secret', tokens }));
});
process.on('SIGTERM', () => process.exit(0));
