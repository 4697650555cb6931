// Runs the public conformance suite of MCP against a running Parley server (docs/conformance.md): PARLEY_URL=…
// ACCESS_TOKEN=… node scripts/mcp-conformance.mjs <path of the suite's dist/index.js> [option of the suite…] The suite
// sends no credentials, so it uses a proxy on the loopback interface that adds the access token.
import { spawn } from 'node:child_process';
import { createServer, request as send } from 'node:http';
import { CliError, runMain } from './cli-output.mjs';

await runMain(async () => {
  const [suite, ...options] = process.argv.slice(2);
  const { PARLEY_URL, ACCESS_TOKEN } = process.env;
  if (!suite || !PARLEY_URL || !ACCESS_TOKEN)
    throw new CliError('expected PARLEY_URL, ACCESS_TOKEN and the path of the suite');
  const proxy = await startProxy(new URL(PARLEY_URL), ACCESS_TOKEN);
  const url = `http://localhost:${proxy.address().port}/mcp`;
  const child = spawn(process.execPath, [suite, 'server', '--url', url, ...options], { stdio: 'inherit' });
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  proxy.close();
  proxy.closeAllConnections();
});

async function startProxy(target, accessToken) {
  const server = createServer((incoming, response) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${accessToken}` };
    // Replaces only the proxy's own Host and Origin, because the suite tests other values.
    const own = `localhost:${server.address().port}`;
    if (headers.host === own) headers.host = target.host;
    if (headers.origin === `http://${own}`) headers.origin = target.origin;
    const outgoing = send({
      host: target.hostname,
      port: target.port,
      path: incoming.url,
      method: incoming.method,
      headers,
    });
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise((resolve) => server.listen(0, 'localhost', resolve));
  return server;
}
