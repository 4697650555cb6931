import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isPublished, publishSettings } from './settings';

/** The described JSON response of an endpoint. */
export interface DescribedResponse {
  method: string;
  path: string;
  /** JSON Schema (2020-12) that rejects undescribed members; null where the endpoint describes no JSON. */
  schema: object | null;
}

/**
 * Vitest and Playwright call this once before the first test file: validates the described responses of all endpoints and
 * writes them to a file. The test files validate from it, because importing the endpoints costs each of them five seconds.
 */
export async function setup(): Promise<void> {
  if (isPublished('responseSchemas')) return;
  const [{ endpoints }, { toJsonSchema }] = await Promise.all([
    import('../../lib/endpoints/table'),
    import('../../lib/endpoints/openapi/components'),
  ]);
  const described: DescribedResponse[] = endpoints.flatMap(({ method, path, docs, mediaType, response }) =>
    docs && !mediaType ? [{ method, path, schema: response ? toJsonSchema(response, 'output') : null }] : [],
  );
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { schema } of described) if (schema) await ajv.validateSchema(schema, true);
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'parley-responses-')), 'responses.json');
  writeFileSync(file, JSON.stringify(described));
  publishSettings({ responseSchemas: file });
}
