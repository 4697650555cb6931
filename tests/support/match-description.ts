import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DescribedResponse } from './response-schemas';
import { setting } from './settings';

// Patterns cover the constraints of formats. The set-up of the run has validated the schemas.
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, validateSchema: false, meta: false });

interface Row extends DescribedResponse {
  pattern: RegExp;
  validate?: ValidateFunction;
}

let loaded: Row[] | undefined;

function rows(): Row[] {
  loaded ??= (JSON.parse(readFileSync(setting('responseSchemas'), 'utf8')) as DescribedResponse[]).map((described) => ({
    ...described,
    pattern: new RegExp(`^${described.path.replaceAll(/:\w+/g, '[^/]+')}$`),
  }));
  return loaded;
}

/**
 * Fails when a successful JSON response does not match `/openapi.json` or has undocumented members. The body stays
 * readable.
 */
export async function expectMatchesDescription(method: string, response: Response): Promise<void> {
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  if (!response.ok || !isJson) return;
  const { pathname } = new URL(response.url);
  const row = rows().find((one) => one.method === method && one.pattern.test(pathname));
  if (!row) return;
  if (!row.schema) throw new Error(`${method} ${row.path} answers JSON, and is described as if it did not`);
  row.validate ??= ajv.compile(row.schema);
  if (row.validate(await response.clone().json())) return;
  const faults = row.validate.errors?.map(({ instancePath, message, params }) =>
    [instancePath || '/', message, 'additionalProperty' in params ? params.additionalProperty : ''].join(' '),
  );
  throw new Error(`${method} ${row.path} is not described as it answers: ${faults?.join('; ')}`);
}
