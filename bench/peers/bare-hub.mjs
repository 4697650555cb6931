// The lower bound of a hub in JavaScript: node:http, one request in, one frame to a connected WebSocket client and one
// back, the response out. Parses only the number of the request. Does not persist or check anything.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

let worker;
let last = 0;
const waiting = new Map();

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const id = ++last;
    waiting.set(id, response);
    worker.send(`{"id":${id},"params":${Buffer.concat(chunks)}}`);
  });
});
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  worker = socket;
  socket.on('message', (data) => {
    const { id, params } = JSON.parse(data);
    const body = JSON.stringify(params);
    waiting
      .get(id)
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
    waiting.delete(id);
  });
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
process.once('SIGTERM', () => process.exit(0));
