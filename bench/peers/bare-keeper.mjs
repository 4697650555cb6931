// The least that a gateway can do which keeps what it carries: node:http, one request in, one out, and a task on disk before the
// agent hears of it and its answer before the caller does. Two statements for all requests that wait (group commit), one row and
// four events for each. Checks nothing, translates nothing, knows nobody.
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

/** Writes what waits at once, and what comes meanwhile after that. */
function keeper(statement, firstSeq) {
  let waiting = [];
  let flying = false;
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
    flying = false;
  }
  return (id, lines) =>
    new Promise((resolve) => {
      waiting.push({ id, lines, resolve });
      if (flying) return;
      flying = true;
      setImmediate(() => void run());
    });
}

const keepTask = keeper(create, 1);
const keepAnswer = keeper(finish, 3);

const server = createServer((request, response) => {
  bodyOf(request, async (text) => {
    const id = randomUUID();
    const { message } = JSON.parse(text).params;
    await keepTask(id, [JSON.stringify({ message }), '{"state":"submitted"}']);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const options = { host: '127.0.0.1', port: upstream, path: '/a2a', method: 'POST', agent, headers };
    const forward = send(options, (answer) => {
      bodyOf(answer, async (said) => {
        const { result } = JSON.parse(said);
        await keepAnswer(id, [JSON.stringify({ artifacts: result.artifacts }), JSON.stringify(result.status)]);
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(said) });
        response.end(said);
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
