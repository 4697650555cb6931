// The lower bound of a start: Next prepared with its build, and node:http. No database, endpoints or jobs.
import { createServer } from 'node:http';
import next from 'next';
import { passBuiltConfig } from '../../scripts/built-config.mjs';

passBuiltConfig();
const app = next({ dev: false, dir: process.cwd(), httpServer: createServer() });
await app.prepare();
const server = createServer(app.getRequestHandler());
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
process.once('SIGTERM', () => process.exit(0));
