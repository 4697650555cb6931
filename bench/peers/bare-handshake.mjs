// The lower bound in JavaScript: node:http, one bearer token, one RS256 signature by jose. No sessions, agents or rate
// limits.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { generateKeyPair, SignJWT } from 'jose';

const issuer = 'http://localhost:3000';
const { privateKey } = await generateKeyPair('RS256');
const tokenHash = createHash('sha256').update('bearer').digest();

async function handshake(agentSlug) {
  const claims = { client_id: 'parley-cli', agent_id: 'agt_1', agent_slug: agentSlug, scope: 'agent:call' };
  const expiresAt = Math.floor(Date.now() / 1000) + 900;
  const token = await new SignJWT({ ...claims, jti: randomUUID() })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'tok-1' })
    .setIssuer(issuer)
    .setSubject('nTIWNb1JmC4VcZ3CIFFVdG8qjOBQ8yyDLi0pEzHqLpo')
    .setAudience(`${issuer}/agents/${agentSlug}`)
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .sign(privateKey);
  return { token, tokenType: 'Bearer', expiresAt: new Date(expiresAt * 1000).toISOString(), expiresIn: 900 };
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const bearer = request.headers.authorization.slice('Bearer '.length);
    if (!timingSafeEqual(createHash('sha256').update(bearer).digest(), tokenHash)) return response.writeHead(401).end();
    const body = JSON.stringify(await handshake(JSON.parse(Buffer.concat(chunks).toString()).agentSlug));
    response.writeHead(200, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port, bearer: 'bearer' })));
process.on('SIGTERM', () => process.exit(0));
