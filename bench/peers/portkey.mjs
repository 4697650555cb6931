// Portkey's gateway as it comes, in front of the agent whose port is given. It listens where it is told and says so itself.
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const free = createServer();
await new Promise((resolve) => free.listen(0, '127.0.0.1', resolve));
const { port } = free.address();
await new Promise((resolve) => free.close(resolve));

process.argv.push('--headless', `--port=${port}`);
const said = console.log;
console.log = () => undefined;
await import(fileURLToPath(new URL('../node_modules/@portkey-ai/gateway/build/start-server.js', import.meta.url)));
for (let attempt = 0; attempt < 100; attempt++) {
  const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
  if (answer) break;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
said(`\n${JSON.stringify({ port })}`);
process.on('SIGTERM', () => process.exit(0));
