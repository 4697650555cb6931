// Serves the page, and the metadata document that is its client ID where it is published over https:
// node examples/web/serve.mjs [port] [public origin]
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const [port = '5173', publicOrigin] = process.argv.slice(2);
const types = { 'index.html': 'text/html', 'client.js': 'text/javascript', 'sign-in.js': 'text/javascript' };

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const name = pathname === '/' ? 'index.html' : pathname.slice(1);
  if (name === 'client.json') return sendJson(response, describeClient());
  if (!Object.hasOwn(types, name)) return response.writeHead(404).end();
  const headers = { 'content-type': `${types[name]}; charset=utf-8`, 'x-content-type-options': 'nosniff' };
  return response.writeHead(200, headers).end(await readFile(new URL(name, import.meta.url)));
});

server.listen(Number(port), '127.0.0.1', () => console.log(`Open ${origin()}/`));

function origin() {
  return publicOrigin ?? `http://127.0.0.1:${server.address().port}`;
}

/** Returns the client's metadata (RFC 7591, and a client ID metadata document). */
function describeClient() {
  return {
    client_id: `${origin()}/client.json`,
    client_name: 'Example web client',
    client_uri: `${origin()}/`,
    redirect_uris: [`${origin()}/`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

function sendJson(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
