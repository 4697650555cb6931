// The lower bound in JavaScript: node:http, one request in, one out, the response piped. Does not parse, check or
// persist anything.
import { Agent, createServer, request as send } from 'node:http';

const agent = new Agent({ keepAlive: true });
const upstream = process.argv[2];

const server = createServer((request, response) => {
  const headers = { 'content-type': 'application/json', 'content-length': request.headers['content-length'] };
  const options = { host: '127.0.0.1', port: upstream, path: '/a2a', method: 'POST', agent, headers };
  const forward = send(options, (upstreamResponse) => {
    response.writeHead(upstreamResponse.statusCode, upstreamResponse.headers);
    upstreamResponse.on('error', () => response.destroy());
    upstreamResponse.pipe(response);
  });
  forward.on('error', () => response.destroy());
  response.on('close', () => forward.destroy());
  request.pipe(forward);
});
server.on('connection', (socket) => socket.on('error', () => socket.destroy()));
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
