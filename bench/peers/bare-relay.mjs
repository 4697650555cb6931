// The lower bound of a gateway that stores events before it sends them: node:http, one stream in, one out, each event
// acknowledged by JetStream before it is written. No checks, translation or authentication.
import { createServer, request as send } from 'node:http';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const [upstream, natsUrl] = process.argv.slice(2);
const connection = await connect({ servers: natsUrl });
const manager = await jetstreamManager(connection);
await manager.streams.add({ name: 'BARE', subjects: ['bare.>'] });
const stream = jetstream(connection);
let streams = 0;

function relay(body, response) {
  const subject = `bare.${streams++}`;
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const call = send(upstream, { method: 'POST', headers }, (upstreamResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let written = Promise.resolve();
    let rest = '';
    upstreamResponse.setEncoding('utf8').on('data', (chunk) => {
      const events = (rest + chunk).split('\n\n');
      rest = events.pop();
      for (const event of events) {
        const stored = stream.publish(subject, event);
        written = written.then(() => stored).then(() => response.write(`${event}\n\n`));
      }
    });
    upstreamResponse.on('end', () => written.then(() => response.end()));
  });
  call.end(body);
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
  request.on('end', () => relay(body, response));
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
