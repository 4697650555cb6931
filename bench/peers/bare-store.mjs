// The lower bound of a gateway that persists tasks: node:http, one request in, one out, with the task committed before
// the agent is called and its response before it is returned. Two statements per group commit; one row and four events
// per request. No checks, translation or authentication.
import { randomUUID } from 'node:crypto';
import { Agent, createServer, request as send } from 'node:http';
import pg from 'pg';

const [upstream, connectionString] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const pool = new pg.Pool({ connectionString, max: 4 });
await pool.query(`
  CREATE TABLE bare_task (id uuid PRIMARY KEY, state text NOT NULL, last_seq int NOT NULL) WITH (fillfactor = 80);
  CREATE TABLE bare_event (task_id uuid NOT NULL, seq int NOT NULL, payload json NOT NULL, PRIMARY KEY (task_id, seq))`);

const events = `INSERT INTO bare_event SELECT id, seq, payload::json FROM unnest($2::uuid[], $3::int[], string_to_array($4, chr(10)))
  AS e(id, seq, payload)`;
const create = {
  name: 'create',
  text: `WITH made AS (INSERT INTO bare_task SELECT id, 'submitted', 2 FROM unnest($1::uuid[]) AS w(id)) ${events}`,
};
const finish = {
  name: 'finish',
  text: `WITH made AS (UPDATE bare_task SET state = 'completed', last_seq = 4 WHERE id = ANY($1::uuid[])) ${events}`,
};

/** Group commit: writes all waiting rows in one statement, then those that have arrived in the meantime. */
function batchedWriter(statement, firstSeq) {
  let waiting = [];
  let isFlushing = false;
  async function run() {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const ids = batch.map(({ id }) => id);
      const values = [
        `{${ids}}`,
        `{${ids.flatMap((id) => [id, id])}}`,
        `{${ids.flatMap(() => [firstSeq, firstSeq + 1])}}`,
        batch.flatMap(({ lines }) => lines).join('\n'),
      ];
      await pool.query({ ...statement, values });
      for (const { resolve } of batch) resolve();
    }
    isFlushing = false;
  }
  return (id, lines) =>
    new Promise((resolve) => {
      waiting.push({ id, lines, resolve });
      if (isFlushing) return;
      isFlushing = true;
      setImmediate(() => void run());
    });
}

const saveTask = batchedWriter(create, 1);
const saveResponse = batchedWriter(finish, 3);

const server = createServer((request, response) => {
  bodyOf(request, async (text) => {
    const id = randomUUID();
    const { message } = JSON.parse(text).params;
    await saveTask(id, [JSON.stringify({ message }), '{"state":"submitted"}']);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const options = { host: '127.0.0.1', port: upstream, path: '/a2a', method: 'POST', agent, headers };
    const forward = send(options, (upstreamResponse) => {
      bodyOf(upstreamResponse, async (body) => {
        const { result } = JSON.parse(body);
        await saveResponse(id, [JSON.stringify({ artifacts: result.artifacts }), JSON.stringify(result.status)]);
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
        response.end(body);
      });
    });
    forward.on('error', () => response.destroy());
    forward.end(text);
  });
});

function bodyOf(stream, then) {
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  stream.on('end', () => void then(Buffer.concat(chunks).toString()));
}

server.on('connection', (socket) => socket.on('error', () => socket.destroy()));
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
process.once('SIGTERM', () => process.exit(0));
