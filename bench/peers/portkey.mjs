// Portkey's gateway, unmodified. It does not report its port, so a free one is chosen here.
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const free = createServer();
await new Promise((resolve) => free.listen(0, '127.0.0.1', resolve));
const { port } = free.address();
await new Promise((resolve) => free.close(resolve));

process.argv.push('--headless', `--port=${port}`);
const print = console.log;
console.log = () => undefined;
await import(fileURLToPath(new URL('../node_modules/@portkey-ai/gateway/build/start-server.js', import.meta.url)));
for (let attempt = 0; attempt < 100; attempt++) {
  const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
  if (response) break;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
print(`\n${JSON.stringify({ port })}`);
process.on('SIGTERM', () => process.exit(0));
