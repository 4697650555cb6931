import type { z } from 'zod';
import { routes } from '@/lib/endpoints/routes';

const rows = routes.flatMap(({ method, path, docs: about }) => {
  if (!about || about.mediaType) return [];
  const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
  return [{ method, path, pattern, schema: about.response }];
});

/**
 * Fails when a good JSON answer of the API is not what `/openapi.json` says of it, or has members of which it says nothing.
 * The answer can still be read.
 */
export async function holdAgainstDescription(method: string, response: Response): Promise<void> {
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  if (!response.ok || !isJson) return;
  const { pathname } = new URL(response.url);
  const row = rows.find((one) => one.method === method && one.pattern.test(pathname));
  if (!row) return;
  if (!row.schema) throw new Error(`${method} ${row.path} answers JSON, and is described as if it did not`);
  const found: unknown = await response.clone().json();
  const checked = row.schema.safeParse(found);
  const faults = checked.success ? undescribed(found, checked.data) : checked.error.issues.map(faultOf);
  if (faults.length > 0) throw new Error(`${method} ${row.path} is not described as it answers: ${faults.join('; ')}`);
}

function faultOf({ path, message }: z.core.$ZodIssue): string {
  return `${path.join('.')}: ${message}`;
}

/** Places of members that the schema did not keep, because it does not know them. */
function undescribed(found: unknown, kept: unknown, place = ''): string[] {
  if (typeof found !== 'object' || found === null) return [];
  if (typeof kept !== 'object' || kept === null) return [place];
  return Object.entries(found).flatMap(([name, value]) => {
    const at = place ? `${place}.${name}` : name;
    return Object.hasOwn(kept, name)
      ? undescribed(value, (kept as Record<string, unknown>)[name], at)
      : [`${at}: not described`];
  });
}
