import type { z } from 'zod';
import { endpoints } from '@/lib/endpoints/table';

const rows = endpoints.flatMap(({ method, path, docs, mediaType, response }) => {
  if (!docs || mediaType) return [];
  const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
  return [{ method, path, pattern, schema: response }];
});

/**
 * Fails when a successful JSON response does not match `/openapi.json` or has undocumented members. The body stays
 * readable.
 */
export async function expectMatchesDescription(method: string, response: Response): Promise<void> {
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  if (!response.ok || !isJson) return;
  const { pathname } = new URL(response.url);
  const row = rows.find((one) => one.method === method && one.pattern.test(pathname));
  if (!row) return;
  if (!row.schema) throw new Error(`${method} ${row.path} answers JSON, and is described as if it did not`);
  const found: unknown = await response.clone().json();
  const checked = row.schema.safeParse(found);
  const faults = checked.success ? undescribed(found, checked.data) : checked.error.issues.map(problemOf);
  if (faults.length > 0) throw new Error(`${method} ${row.path} is not described as it answers: ${faults.join('; ')}`);
}

function problemOf({ path, message }: z.core.$ZodIssue): string {
  return `${path.join('.')}: ${message}`;
}

/** Paths of members that the schema dropped because it does not define them. */
function undescribed(found: unknown, parsed: unknown, pointer = ''): string[] {
  if (typeof found !== 'object' || found === null) return [];
  if (typeof parsed !== 'object' || parsed === null) return [pointer];
  return Object.entries(found).flatMap(([name, value]) => {
    const at = pointer ? `${pointer}.${name}` : name;
    return Object.hasOwn(parsed, name)
      ? undescribed(value, (parsed as Record<string, unknown>)[name], at)
      : [`${at}: not described`];
  });
}
