import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const dimensions = 32;

/**
 * Starts an OpenAI-compatible embeddings service. Its vectors are derived from hashes, and it can be made to fail.
 *
 * @returns {Promise<{ url: string, fail: (failing: boolean) => void, stop: () => void }>}
 */
export async function startEmbeddingsService() {
  let isFailing = false;
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { input, encoding_format: format } = JSON.parse(Buffer.concat(chunks).toString());
    if (isFailing) return response.writeHead(500).end();
    const data = [input].flat().map((text, index) => ({ object: 'embedding', index, embedding: encode(text, format) }));
    const body = { object: 'list', model: 'drill', data, usage: { prompt_tokens: 1, total_tokens: 1 } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    fail(failing) {
      isFailing = failing;
    },
    stop: () => server.close(),
  };
}

function encode(text, format) {
  const bytes = createHash('sha256').update(text).digest();
  const vector = Float32Array.from({ length: dimensions }, (_, at) => bytes[at] / 127.5 - 1);
  return format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
}
